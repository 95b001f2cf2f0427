import { useState } from 'react';
import { BYTES_PER_CHARACTER } from '../../../../shared/callParts.ts';
import type { EvidenceVerdict } from '../../../../shared/evidence/calls.ts';
import { MAX_CARRIED_EVIDENCE } from '../../../../shared/evidence/document.ts';
import { decodeText } from '../../../../shared/textEncoding.ts';
import { t } from '../../../../shared/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Dialog, ErrorBox, FileButton, formatCount, rich } from '../../../ui/index.ts';
import styles from './evidence.module.css';

/** Proves a file of evidence, or the journal of this machine. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const [verdict, setVerdict] = useState<EvidenceVerdict>();
  const { refusal, run, isBusy, refuse } = useAction();
  const ask = async (asked: { text?: string }) => {
    const answer = await run(call('evidence.verify', asked));
    setVerdict(answer.ok ? answer.data : undefined);
  };
  const read = async (file: File) => {
    if (file.size <= MAX_CARRIED_EVIDENCE * BYTES_PER_CHARACTER) {
      const { text, encoding, isGuess } = await decodeText(new Uint8Array(await file.arrayBuffer()));
      // Dailies writes UTF-8: other bytes are not what it wrote.
      if (isGuess || encoding !== 'utf-8') return ask({ text: `${text}\0` });
      if (text.length <= MAX_CARRIED_EVIDENCE) return ask({ text });
    }
    setVerdict(undefined);
    refuse(t`The file is longer than 16 million characters. Prove it with: npm run verify -- FILE`);
  };
  return (
    <Dialog open title={t`Verify`} onClose={onClose} width={520}>
      <p className="t2">
        {rich`Checks a job record: hashes and figures. For a folder, use ${<span className="mono">{t`npm run verify -- FOLDER`}</span>}. Nothing is sent.`}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a file is dropped here; the button beside does the same. */}
      <div
        className={`${styles.drop} row`}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          const [file] = event.dataTransfer.files;
          if (file) void read(file);
        }}
      >
        <FileButton label={t`Job record file`} accept=".json,application/json" onFiles={([file]) => void read(file)}>
          <Button variant="primary" busy={isBusy}>
            {t`Choose evidence.json`}
          </Button>
        </FileButton>
        <Button busy={isBusy} onClick={() => void ask({})}>
          {t`The journal of this machine`}
        </Button>
        <span className="t3">{t`or drop the file here`}</span>
      </div>
      {refusal && <ErrorBox title={t`It cannot be looked at`}>{refusal}</ErrorBox>}
      {verdict && <Verdict verdict={verdict} />}
    </Dialog>
  );
}

const Verdict = ({ verdict: { whole, message, faults } }: { verdict: EvidenceVerdict }) => (
  <div role="status">
    <p>
      <b className={whole ? undefined : 'fail'}>{message}</b>
    </p>
    {faults.length > 0 && (
      <ul className={styles.faults}>
        {faults.slice(0, MOST_SHOWN).map((fault) => (
          <li key={`${fault.where} ${fault.message}`}>
            <span className="t3">{fault.where}:</span> {fault.message}
          </li>
        ))}
      </ul>
    )}
    {faults.length > MOST_SHOWN && <p className="t3">{t`${formatCount(faults.length - MOST_SHOWN)} more.`}</p>}
  </div>
);

const MOST_SHOWN = 10;
