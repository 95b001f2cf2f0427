import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { BYTES_PER_CHARACTER } from '../../../../shared/contract/callParts.ts';
import type { EvidencePreview, EvidenceVerdict } from '../../../../shared/evidence/calls.ts';
import { MAX_CARRIED_EVIDENCE } from '../../../../shared/evidence/document.ts';
import { madeWords } from '../../../../shared/evidence/figures.ts';
import type { Redaction } from '../../../../shared/evidence/record.ts';
import { formatNano, formatNanoRange } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { ActionButton, BackButton, navigate, useAction, useCall, usePlace, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { ExportNote } from '../../../media/ExportNote.tsx';
import {
  Button,
  Dialog,
  EmptyState,
  ErrorBox,
  Figure,
  FileButton,
  formatCount,
  formatStamp,
  Icon,
  plural,
  Reading,
  Select,
} from '../../../ui/index.ts';
import spendStyles from '../spend.module.css';
import styles from './evidence.module.css';
import { JobEvidence } from './JobEvidence.tsx';
import { LeavingPanel } from './LeavingPanel.tsx';
import { ManyEvidence } from './ManyEvidence.tsx';
import { onlyOf } from './recordWords.ts';
import { inputOf, type ShownScope, useScope } from './scope.ts';

const leave = (): void => navigate('spend');

/** Requested, made, stated, billed, with the records: for a job, a run or a month. Nothing is sent. */
export function EvidencePage() {
  const scope = useScope();
  const [redact, setRedact] = useState<Redaction[]>(['words', 'names']);
  const asked = scope && { ...inputOf(scope), redact };
  const read = useCall('evidence.preview', asked ?? null, { on: ['job.changed', 'ledger.changed'] });
  const { data } = read;
  usePlace('evidence');
  return (
    <main data-page="evidence" className={`page ${styles.evid}`}>
      <h1 className="vh">{t`Job record`}</h1>
      <section className="col" aria-label={t`Job record`} data-panel tabIndex={-1}>
        <Head scope={scope} preview={data} />
        <ExportNote />
        {scope ? (
          <Reading of={read} rows={8}>
            {(preview) => <Found preview={preview} redact={redact} />}
          </Reading>
        ) : (
          <EmptyState title={t`No job selected`}>{t`Open a job record from a job in Queue or Library.`}</EmptyState>
        )}
      </section>
      {data && scope && <LeavingPanel scope={scope} preview={data} redact={redact} onRedact={setRedact} />}
    </main>
  );
}

function Found({ preview, redact }: { preview: EvidencePreview; redact: readonly Redaction[] }) {
  const only = onlyOf(preview);
  return (
    <>
      <FiguresBar preview={preview} />
      {only ? <JobEvidence line={only} redact={redact} /> : <ManyEvidence preview={preview} />}
    </>
  );
}

function Head({ scope, preview }: { scope: ShownScope | undefined; preview: EvidencePreview | undefined }) {
  const [verifies, setVerifies] = useState(false);
  return (
    <div className="bar">
      <BackButton onLeave={leave}>{t`Spend`}</BackButton>
      <h2>{t`Job record`}</h2>
      {preview && <span className="t3 cut">{aboutWords(preview)}</span>}
      <span className="grow" />
      {scope && scope.kind !== 'job' && <GatewayChoice scope={scope} />}
      <ActionButton variant="ghost" action="evidence.verify" onDo={() => setVerifies(true)}>
        {t`Verify`}
      </ActionButton>
      {verifies && <VerifyDialog onClose={() => setVerifies(false)} />}
    </div>
  );
}

function aboutWords(preview: EvidencePreview): string {
  const { scope, jobs } = preview;
  return onlyOf(preview)?.title ?? t`${formatStamp(scope.from)} to ${formatStamp(scope.to)}, ${counted(jobs, 'job')}`;
}

/** Hidden with only one gateway. By default the gateway of the run's jobs, or the active one. */
function GatewayChoice({ scope }: { scope: ShownScope }) {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  if (profiles.length < 2) return null;
  const options = profiles.map(({ id, name }) => ({ value: id, label: name }));
  const value = scope.gateway ?? (scope.kind === 'month' ? activeId : undefined) ?? '';
  const shown = value === '' ? [{ value: '', label: t`Gateway of the run` }, ...options] : options;
  return (
    <span className={spendStyles.gateway}>
      <Select
        aria-label={t`Gateway`}
        options={shown}
        value={value}
        onValue={(gateway) => navigate('spend', { [scope.kind]: scope.value, gateway }, 'evidence')}
      />
    </span>
  );
}

/** Requested, made, stated, billed: the same four amounts for a job, a run and a month. Dashed until a bill is read. */
function FiguresBar({ preview }: { preview: EvidencePreview }) {
  const { sums, jobs } = preview;
  const only = onlyOf(preview)?.figures;
  const ordered = only ? only.ordered : { lowNano: sums.orderedNano, nano: sums.orderedNano };
  const counts = [plural(jobs, 'job'), sums.unpriced > 0 && t`${sums.unpriced} without a price`];
  const refused = sums.refused > 0 && t`${sums.refused} refused`;
  const isBilled = sums.billedNano !== null;
  return (
    <dl className="figbar">
      <Figure name={t`Requested`} value={ordered ? formatNanoRange(ordered.lowNano, ordered.nano) : '–'}>
        {only ? only.settings : counts.filter(Boolean).join(', ')}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure name={t`Made`} value={only ? madeWords(only) : String(sums.made)}>
        {only ? plural(only.made.results, 'result') : refused}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure name={t`Stated`} value={orDash(sums.statedNano)}>
        {statedBy(preview)}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure className={isBilled ? undefined : 'odd'} name={t`Billed`} value={orDash(sums.billedNano)}>
        {isBilled ? t`On the bill` : t`Not on the bill`}
      </Figure>
      <Figure className="end" name={t`Refund due`} value={formatNano(sums.askedBackNano)}>
        {jobs > 1 && t`${sums.differ} of ${jobs}`}
      </Figure>
    </dl>
  );
}

const orDash = (nano: number | null): string => (nano === null ? '–' : formatNano(nano));

function statedBy(preview: EvidencePreview): string {
  const { sums } = preview;
  const stated = onlyOf(preview)?.figures.stated;
  if (stated) return stated.by;
  return sums.stated === 0 ? t`Not stated` : plural(sums.stated, 'answer');
}

/** Compares a job record with its digest, or all records on this machine with the ledger. */
function VerifyDialog({ onClose }: { onClose: () => void }) {
  const [verdict, setVerdict] = useState<EvidenceVerdict>();
  const { refusal, run, isBusy, refuse } = useAction();
  const ask = async (asked: { text?: string }) => {
    const answer = await run(call('evidence.verify', asked));
    setVerdict(answer.ok ? answer.data : undefined);
  };
  const refuseFile = (message: string) => {
    setVerdict(undefined);
    refuse(message);
  };
  const read = async (file: File) => {
    if (file.size <= MAX_CARRIED_EVIDENCE * BYTES_PER_CHARACTER) {
      const text = decoded(await file.arrayBuffer());
      if (text === undefined) return refuseFile(t`The file was changed.`);
      if (text.length <= MAX_CARRIED_EVIDENCE) return ask({ text });
    }
    refuseFile(t`The file is too long. Use: npm run verify -- FILE`);
  };
  return (
    <Dialog open title={t`Verify`} onClose={onClose} width={520}>
      <p className="t2">{t`Shows whether a job record or ledger was changed.`}</p>
      <div className="mt row">
        <FileButton label={t`Job record`} accept=".json,application/json" onFiles={([file]) => void read(file)}>
          <Button variant="primary" busy={isBusy}>
            {t`Choose evidence.json`}
          </Button>
        </FileButton>
        <Button busy={isBusy} onClick={() => void ask({})}>
          {t`All records on this computer`}
        </Button>
      </div>
      {refusal && <ErrorBox title={t`The file cannot be verified`}>{refusal}</ErrorBox>}
      {verdict && <Verdict verdict={verdict} />}
    </Dialog>
  );
}

/** Every byte counts for the digest: a byte order mark is part of the text, and invalid bytes are not replaced. */
function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
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
    {faults.length > MOST_SHOWN && <p className="t3">{t`${formatCount(faults.length - MOST_SHOWN)} more`}</p>}
  </div>
);

const MOST_SHOWN = 10;
