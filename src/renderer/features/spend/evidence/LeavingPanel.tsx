import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import type { EvidencePreview } from '../../../../shared/evidence/calls.ts';
import { REDACTIONS, type Redaction } from '../../../../shared/evidence/record.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { ActionKey, copyText, useAction, useSpendChord } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { useExportShown } from '../../../media/ExportNote.tsx';
import { Button, Checkbox, formatBytes, Icon, Panel, plural, Refusal, Tabs, WhyOff } from '../../../ui/index.ts';
import evidenceStyles from './evidence.module.css';
import { inputOf, type ShownScope } from './scope.ts';

const TABS = [
  { value: 'letter', label: t`Letter`, action: 'evidence.letter' },
  { value: 'json', label: 'JSON', action: 'evidence.json' },
  { value: 'page', label: t`Page`, action: 'evidence.page' },
] as const;
type Tab = (typeof TABS)[number]['value'];

interface LeavingPanelProps {
  scope: ShownScope;
  preview: EvidencePreview;
  redact: readonly Redaction[];
  onRedact: (redact: Redaction[]) => void;
}

/** What would leave, before it does: the letter, the file, the page, and what is taken out of them. Nothing is sent. */
export function LeavingPanel(props: LeavingPanelProps) {
  const { preview } = props;
  const [tab, setTab] = useState<Tab>('letter');
  return (
    <Panel label={t`What leaves this machine`}>
      <TabBar tab={tab} onTab={setTab} />
      <div className="scroll">
        <section className="sec" id={SHEET} aria-label={t`What leaves`}>
          {tab === 'letter' && <Letter paragraphs={preview.letter} />}
          {tab === 'json' && <JsonSheet preview={preview} />}
          {tab === 'page' && <PageSheet preview={preview} />}
        </section>
        <Redactions {...props} />
      </div>
      <SaveBar {...props} />
    </Panel>
  );
}

const SHEET = 'evidence-sheet';

function TabBar({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const items = TABS.map(({ action, ...tab }) => ({
    ...tab,
    kbd: <ActionKey action={action} onDo={() => onTab(tab.value)} />,
  }));
  return (
    <div className="bar">
      <h2 className="cut">{t`What leaves this machine`}</h2>
      <span className="grow" />
      <Tabs items={items} value={tab} onValue={onTab} aria-label={t`Files of the job record`} />
    </div>
  );
}

const Letter = ({ paragraphs: [to, heading, ...rest] }: { paragraphs: readonly string[] }) => (
  <article className={evidenceStyles.letter}>
    <p>{to}</p>
    <p>
      <b>{heading}</b>
    </p>
    {rest.map((text) => (
      <p key={text}>{text}</p>
    ))}
  </article>
);

const JsonSheet = ({ preview: { json, jsonBytes } }: { preview: EvidencePreview }) => (
  <>
    <div className="row between">
      <h3>{t`evidence.json, as it is saved`}</h3>
      <span className="t3">{t`${formatBytes(jsonBytes)}, 1 of 4 files`}</span>
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard too. */}
    <pre className={`${evidenceStyles.json} mono`} tabIndex={0}>
      {json}
      {jsonBytes > json.length && '\n…'}
    </pre>
  </>
);

const PageSheet = ({ preview: { jobs, records, letter } }: { preview: EvidencePreview }) => (
  <>
    <h3>{'evidence.html'}</h3>
    <p>
      <b>{letter[1]}</b>
    </p>
    <p className="t2">
      {t`One self-contained HTML file: totals, ${counted(jobs, 'job')} and ${counted(records, 'record')}. No scripts.`}
    </p>
  </>
);

const NAMES: Record<Redaction, string> = {
  words: t`Words of prompts, requests and messages`,
  names: t`Names of project and shots`,
  seeds: t`Seeds, references and requests`,
};

const Redactions = ({ preview: { hideable }, redact, onRedact }: LeavingPanelProps) => (
  <section className="sec" aria-label={t`Taken out`}>
    <h3>{t`Taken out`}</h3>
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
    <WhyOff>{t`The key and the link secrets are in no record, so there is nothing to take out.`}</WhyOff>
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
        <span className="t2">{t`Letter, page, JSON: ${formatBytes(preview.bytes)}`}</span>
        <span className="price">{t`free`}</span>
      </div>
      <p className="t3">{t`Nothing is sent. You send it, from where you like.`}</p>
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
