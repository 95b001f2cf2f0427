import type { BatchReading } from '../../../../shared/jobs/batch.ts';
import { type JobKind, kindOf, kindsWhere } from '../../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { counted, formatCount, t } from '../../../../shared/text/texts.ts';
import { announce, navigate, useProjectId, useStudio } from '../../../app/index.ts';
import { saveText } from '../../../media/saveText.ts';
import { PriceLine, type SendFailure, SpendBar, sendOnce, shownOf } from '../../../spending/index.ts';
import { Columns, type ImportRow, SkipErrors, whyErrors, withoutSkipped } from '../../../tableImport/index.ts';
import tableImportStyles from '../../../tableImport/tableImport.module.css';
import { Button, Field, Panel, PriceTag, plural, Section, Select, TextAction, toast } from '../../../ui/index.ts';
import { isImportShown, jobs, useJobsChoice } from './jobs.ts';
import type { JobsReading } from './useJobsReading.ts';

const NO_PROJECT = '-';

interface SideProps {
  now: JobsReading;
  rows: readonly ImportRow[];
}

/** The summary of the import: jobs by kind, recognised columns, destination, and one button with the price. */
export function BatchSide({ now, rows }: SideProps) {
  const { reading } = now;
  return (
    <Panel label={t`Jobs to queue`} className={tableImportStyles.side}>
      <div className="bar">
        <h2>{t`Jobs to queue`}</h2>
      </div>
      <div className="scroll">
        {reading && <Sums reading={reading} />}
        <Columns table={jobs} words={COLUMN_WORDS} />
        <UsualKind />
        <WhereTo />
      </div>
      <QueueAll now={now} rows={rows} />
    </Panel>
  );
}

const Sums = ({ reading: { sums, lines, leftOut } }: { reading: BatchReading }) => (
  <div className="sec">
    <table className="mini">
      <tbody>
        {sums.map(({ kind, lines: count, jobs, seconds, estimateNano, lowNano, unpriced }) => (
          <tr key={kind}>
            <td>
              {kindOf(kind).words.title}, {plural(count, 'row')}
            </td>
            <td className="r t3">{seconds === undefined ? plural(jobs, 'job') : `${formatCount(seconds)} s`}</td>
            <td className="r">
              <PriceTag nano={estimateNano} lowNano={lowNano} unpriced={unpriced} />
            </td>
          </tr>
        ))}
        {lines.bad > 0 && (
          <tr className="t3">
            <td>{t`Errors, ${counted(lines.bad, 'row')}`}</td>
            <td />
            <td className="r">{t`No price set`}</td>
          </tr>
        )}
        {leftOut > 0 && (
          <tr className="t3">
            <td>{t`Skipped, ${formatCount(leftOut)}`}</td>
            <td />
            <td className="r">
              <TextAction onClick={putAllBack}>{t`Restore all`}</TextAction>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  </div>
);

const putAllBack = (): void => jobs.skip([...jobs.useDraft.getState().skipped], false);

/** The kind of rows that name none. */
function UsualKind() {
  const kind = useJobsChoice((choice) => choice.kind);
  const format = jobs.useDraft((draft) => draft.format);
  if (format === 'jsonl') return null;
  return (
    <Section title={t`Default for empty cells`}>
      <Field label={t`Kind`}>
        <Select
          aria-label={t`Kind`}
          value={kind}
          onValue={(value) => useJobsChoice.setState({ kind: value })}
          options={kindsWhere(({ table }) => table.columns.mask === undefined).map((value: JobKind) => ({
            value,
            label: kindOf(value).words.title,
          }))}
        />
      </Field>
    </Section>
  );
}

/** What a column fills, if its name does not say so. */
const COLUMN_WORDS: Readonly<Record<string, string>> = {
  seconds: t`Length`,
  aspect: t`Aspect`,
  audio: t`Sound`,
  samples: t`Variations`,
  image: t`First frame or picture`,
  last_frame: t`Last frame`,
  references: t`Reference images`,
  video: t`Clip to extend`,
};

function useBatchProject(): string {
  const open = useProjectId();
  const chosen = useJobsChoice((choice) => choice.projectId);
  const projects = useStudio((state) => state.projects);
  const id = chosen ?? open ?? NO_PROJECT;
  return projects.some((project) => project.id === id) ? id : NO_PROJECT;
}

function WhereTo() {
  const projects = useStudio((state) => state.projects);
  const value = useBatchProject();
  return (
    <Section title={t`Destination`}>
      <Field label={t`Project`}>
        <Select
          aria-label={t`Project`}
          value={value}
          onValue={(projectId) => useJobsChoice.setState({ projectId })}
          options={[
            { value: NO_PROJECT, label: t`None` },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Field>
    </Section>
  );
}

function whyOff({ reading, isOutdated, error }: JobsReading, rows: readonly ImportRow[]): string | undefined {
  const { text, skipped } = jobs.useDraft.getState();
  if (text.trim() === '') return t`No job to queue yet.`;
  if (isOutdated) return t`The rows are being read.`;
  if (error || !reading) return t`The rows could not be read.`;
  return whyErrors(rows, skipped) ?? (reading.good === 0 ? t`No job to queue yet.` : undefined);
}

function QueueAll({ now, rows }: SideProps) {
  const { reading } = now;
  const { text, format, skipped, name } = jobs.useDraft();
  const project = useBatchProject();
  const projectId = project === NO_PROJECT ? undefined : project;
  const { scheduled } = useJobsChoice();
  const isScheduled = scheduled?.text === text && scheduled.skipped === skipped;
  const off = isScheduled ? scheduledWords(scheduled.count) : whyOff(now, rows);
  const good = reading?.good ?? 0;
  const send = (night: boolean) => async (): Promise<SendFailure> => {
    if (!reading) return off;
    const answer = await queueAll(reading, { projectId, night });
    if (!answer.ok && answer.error.code === 'not_found') now.reload();
    return answer.ok ? undefined : answer.error;
  };
  const label = t`Queue ${counted(good, 'job')}`;
  return (
    <SpendBar
      label={label}
      off={off}
      onSend={send(false)}
      tonight={{
        what: label,
        shown: reading && shownOf(reading),
        onSend: send(true),
        lines: reading && { readId: reading.readId, ...(projectId === undefined ? {} : { projectId }) },
      }}
    >
      <PriceLine what={plural(good, 'job')} price={reading} />
      <div className="row wrap">
        {isScheduled && <Button onClick={jobs.clear}>{t`Clear rows`}</Button>}
        <SkipErrors table={jobs} rows={rows} off={now.isOutdated ? off : undefined} />
        <span className="grow" />
        {text.trim() !== '' && (
          <Button
            variant="ghost"
            onClick={() => saveText(copyName(name, format), withoutSkipped({ text, format }, skipped))}
          >
            {t`Save a copy`}
          </Button>
        )}
      </div>
    </SpendBar>
  );
}

const scheduledWords = (count: number): string =>
  t`${counted(count, 'job')} scheduled already. Change or clear the rows to queue others.`;

const ENDINGS = { csv: 'csv', jsonl: 'jsonl', lines: 'txt' };

const copyName = (name: string | undefined, format: keyof typeof ENDINGS): string => {
  const base = name?.includes('.') ? name.slice(0, name.lastIndexOf('.')) : 'jobs';
  return `${base}-copy.${ENDINGS[format]}`;
};

async function queueAll(reading: BatchReading, where: { projectId: string | undefined; night: boolean }) {
  const { readId } = reading;
  const shown: ShownPrice = shownOf(reading);
  const { text } = jobs.useDraft.getState();
  const answer = await sendOnce('batch.enqueue', {
    readId,
    shown,
    ...(where.night ? { night: true } : {}),
    ...(where.projectId === undefined ? {} : { projectId: where.projectId }),
  });
  if (answer.ok) afterQueued(answer.data.count, { text, night: where.night });
  return answer;
}

/** Shows the queued jobs if the user still waits here: a late answer neither clears another text nor leaves another page. */
function afterQueued(count: number, { text, night }: { text: string; night: boolean }): void {
  const { text: now, skipped } = jobs.useDraft.getState();
  const isSame = now === text;
  // Scheduled from the plan of the run: going back leads to the rows, which say so.
  if (isSame && night && !isImportShown()) return useJobsChoice.setState({ scheduled: { count, text, skipped } });
  if (isSame) jobs.clear();
  const queued = t`${counted(count, 'job')} queued`;
  if (isSame && isImportShown()) {
    announce(queued);
    return navigate('queue');
  }
  toast({
    text: isSame ? `${queued}.` : t`${queued}. The text changed since and is not queued.`,
    action: { label: t`Show`, onAction: () => navigate('queue') },
  });
}
