import { Copy } from 'lucide-react';
import { useRef } from 'react';
import type { EvidencePreview } from '../../../../shared/evidence/calls.ts';
import { REDACTIONS, type Redaction } from '../../../../shared/evidence/record.ts';
import { t } from '../../../../shared/text/texts.ts';
import { copyText, useAction, useSpendChord } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { useExportShown } from '../../../media/ExportNote.tsx';
import { Button, Checkbox, formatBytes, Icon, Panel, plural, Refusal, WhyOff } from '../../../ui/index.ts';
import evidenceStyles from './evidence.module.css';
import { inputOf, type ShownScope } from './scope.ts';

interface LeavingPanelProps {
  scope: ShownScope;
  preview: EvidencePreview;
  redact: readonly Redaction[];
  onRedact: (redact: Redaction[]) => void;
}

/** A preview of the letter and the file, with the parts that are removed from them. Nothing is sent. */
export function LeavingPanel(props: LeavingPanelProps) {
  const { preview } = props;
  return (
    <Panel label={t`What leaves this computer`}>
      <div className="bar">
        <h2 className="cut">{t`What leaves this computer`}</h2>
      </div>
      <div className="scroll">
        <section className="sec" aria-label={t`Letter`}>
          <Letter paragraphs={preview.letter} />
        </section>
        <Redactions {...props} />
        <JsonFile preview={preview} />
      </div>
      <SaveBar {...props} />
    </Panel>
  );
}

const Letter = ({ paragraphs: [to, heading, ...rest] }: { paragraphs: readonly string[] }) => (
  <article className={`stack ${evidenceStyles.letter}`}>
    <p>{to}</p>
    <p>
      <b>{heading}</b>
    </p>
    {rest.map((text) => (
      <p key={text}>{text}</p>
    ))}
  </article>
);

const JsonFile = ({ preview: { json, jsonBytes } }: { preview: EvidencePreview }) => (
  <details className="sec">
    <summary>{`evidence.json, ${formatBytes(jsonBytes)}`}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard too. */}
    <pre className={`${evidenceStyles.json} mono`} tabIndex={0}>
      {json}
      {jsonBytes > json.length && '\n…'}
    </pre>
  </details>
);

const NAMES: Record<Redaction, string> = {
  words: t`Prompts and messages`,
  names: t`Project and shot names`,
  seeds: t`Seeds and references`,
};

const Redactions = ({ preview: { hideable }, redact, onRedact }: LeavingPanelProps) => (
  <section className="sec" aria-label={t`Leave out`}>
    <h3>{t`Leave out`}</h3>
    {REDACTIONS.map((one) => (
      <div key={one} className="row between">
        <Checkbox
          checked={redact.includes(one)}
          onChecked={(on) => onRedact(REDACTIONS.filter((other) => (other === one ? on : redact.includes(other))))}
        >
          {NAMES[one]}
        </Checkbox>
        <span className="t3">{one === 'names' ? plural(hideable[one], 'job') : plural(hideable[one], 'record')}</span>
      </div>
    ))}
    <WhyOff>{t`No record contains your key.`}</WhyOff>
  </section>
);

function SaveBar({ scope, preview, redact }: LeavingPanelProps) {
  const { refusal, run, isBusy: busy } = useAction();
  const save = async () => {
    if (busy) return;
    const saved = await run(call('evidence.dispute', { ...inputOf(scope), redact: [...redact] }));
    if (saved.ok) useExportShown.setState({ id: saved.data.id });
  };
  const bar = useRef<HTMLDivElement>(null);
  const hint = useSpendChord(bar, () => void save(), { isMain: true });
  return (
    <div className="sendbar" ref={bar}>
      <div className="row between">
        <span className="t2">{formatBytes(preview.bytes)}</span>
        <span className="price">{t`Free`}</span>
      </div>
      <p className="t3">{t`Nothing is sent.`}</p>
      <Refusal text={refusal} />
      <div className="row">
        <Button variant="primary" className="grow" kbd={hint} busy={busy} onClick={() => void save()}>
          {t`Save job record`}
        </Button>
        <Button onClick={() => void copyText(preview.letter.join('\n\n'))}>
          <Icon of={Copy} />
          {t`Copy letter`}
        </Button>
      </div>
    </div>
  );
}
