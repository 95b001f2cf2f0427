import { useState } from 'react';
import { BATCH_COLUMNS, type BatchColumn, type BatchReading, type BatchRows } from '../../../../shared/batch.ts';
import { type JobKind, kindOf, kindsWhere } from '../../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../../shared/ledger.ts';
import { counted, formatCount, formatLocale, inflected, t } from '../../../../shared/texts.ts';
import { announce, hashOf, navigate, useProjectId, useStudio } from '../../../app/index.ts';
import { call, type Result } from '../../../client/index.ts';
import { AfterPrice, type SendFailure, SpendBar, sendOnce, shownOf } from '../../../spending/index.ts';
import { Button, Field, Panel, PriceTag, plural, Section, Select, TextAction, toast } from '../../../ui/index.ts';
import { mended } from './batchText.ts';
import { saveText } from './saveText.ts';
import { clearBatch, isImportShown, leaveOut, useBatchDraft } from './useBatchDraft.ts';
import type { ReadingNow } from './useBatchReading.ts';

const NO_PROJECT = '-';

/** What would be queued, by kind, what is to be known about it, where it goes, and the one button with its price. */
export function BatchSide({ now }: { now: ReadingNow }) {
  const { reading } = now;
  return (
    <Panel label={t`What would be queued`} className="batch-side">
      <div className="bar">
        <h2>{t`What would be queued`}</h2>
      </div>
      <div className="scroll">
        {reading && <Sums reading={reading} />}
        <UsualKind />
        {reading && reading.columns.length > 0 && <Columns reading={reading} />}
        {reading && reading.know.length > 0 && <ToKnow reading={reading} />}
        <WhereTo />
      </div>
      <QueueAll now={now} />
    </Panel>
  );
}

function Sums({ reading: { sums, lines, leftOut } }: { reading: BatchReading }) {
  return (
    <div className="sec">
      <table className="mini">
        <tbody>
          {sums.map(({ kind, lines: count, jobs, seconds, estimateNano, lowNano, unpriced }) => (
            <tr key={kind}>
              <td>
                {kindOf(kind).words.title}, {plural(count, 'line')}
              </td>
              <td className="r t3">{seconds === undefined ? plural(jobs, 'job') : `${formatCount(seconds)} s`}</td>
              <td className="r">
                <PriceTag nano={estimateNano} lowNano={lowNano} unpriced={unpriced} />
              </td>
            </tr>
          ))}
          {lines.bad > 0 && (
            <tr className="t3">
              <td>{t`To mend, ${counted(lines.bad, 'line')}`}</td>
              <td />
              <td className="r">{t`not priced`}</td>
            </tr>
          )}
          {leftOut > 0 && (
            <tr className="t3">
              <td>{t`Left out, ${formatCount(leftOut)}`}</td>
              <td />
              <td className="r">
                <TextAction onClick={putAllBack}>{t`Put all back`}</TextAction>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const putAllBack = (): void => leaveOut([...useBatchDraft.getState().leaveOut], false);

/** What a line makes that names no kind. */
function UsualKind() {
  const { kind, format } = useBatchDraft();
  if (format === 'jsonl') return null;
  return (
    <Section title={t`Where a line says nothing`}>
      <Field label={t`Kind`}>
        <Select
          aria-label={t`Kind`}
          value={kind}
          onValue={(value) => useBatchDraft.setState({ kind: value })}
          options={kindsWhere(({ table }) => table.columns.mask === undefined).map((value: JobKind) => ({
            value,
            label: kindOf(value).words.title,
          }))}
        />
      </Field>
    </Section>
  );
}

const MOST_SHOWN = 24;
/** What the columns fill, where their names do not say it. */
const COLUMN_WORDS: Readonly<Partial<Record<BatchColumn, string>>> = {
  seconds: t`Length`,
  aspect: t`Shape`,
  audio: t`Sound`,
  samples: t`Clips`,
  image: t`First frame, or picture to edit`,
  last_frame: t`Last frame`,
  references: t`Reference pictures`,
  video: t`Clip to extend`,
};

function wordsOf(name: string): string {
  const column = BATCH_COLUMNS.find((known) => known === name);
  if (column === undefined) return t`not known`;
  return COLUMN_WORDS[column] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function Columns({ reading: { columns } }: { reading: BatchReading }) {
  return (
    <Section title={t`Columns of the file`}>
      <table className="mini">
        <tbody>
          {columns.slice(0, MOST_SHOWN).map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity than its place.
            <tr key={index}>
              <td className="mono cut">{name || t`column ${index + 1}`}</td>
              <td className="r t3">{wordsOf(name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function ToKnow({ reading: { know, lines } }: { reading: BatchReading }) {
  const shown = know.slice(0, 8);
  return (
    <Section title={t`To know`}>
      <ul className="batch-know">
        {shown.map(({ line, fact }) => (
          <li key={`${line} ${JSON.stringify(fact)}`}>
            {fact.type === 'matrix' && t`Line ${line} has choices: ${counted(fact.jobs, 'job')}.`}
            {fact.type === 'twice' && t`Line ${line} is the same as line ${fact.line}.`}
            {fact.type === 'kept' && (
              <>
                {t`Line ${line} is the same as a take you kept.`}{' '}
                <a className="lnk" href={hashOf('queue', { job: fact.jobId })}>
                  {t`Show`}
                </a>
              </>
            )}
          </li>
        ))}
      </ul>
      {know.length > shown.length && <p className="t3">{t`${counted(lines.know, 'line')} in all, under To know.`}</p>}
    </Section>
  );
}

function useBatchProject(): string {
  const open = useProjectId();
  const chosen = useBatchDraft((draft) => draft.projectId);
  const projects = useStudio((state) => state.projects);
  const id = chosen ?? open ?? NO_PROJECT;
  return projects.some((project) => project.id === id) ? id : NO_PROJECT;
}

function WhereTo() {
  const projects = useStudio((state) => state.projects);
  const value = useBatchProject();
  return (
    <Section title={t`Where to`}>
      <Field label={t`Project`}>
        <Select
          aria-label={t`Project`}
          value={value}
          onValue={(projectId) => useBatchDraft.setState({ projectId })}
          options={[
            { value: NO_PROJECT, label: t`None` },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Field>
    </Section>
  );
}

const LIST = new Intl.ListFormat(formatLocale(), { type: 'conjunction' });
/** More lines than these are counted. */
const MOST_NAMED = 4;

function whyOff({ reading, isOutdated, error }: ReadingNow, isEmpty: boolean): string | undefined {
  if (isEmpty) return t`There is nothing to queue yet.`;
  if (isOutdated) return t`The lines are being read.`;
  if (error || !reading) return t`The lines could not be read.`;
  const { bad, badLines, good } = reading;
  if (bad > 0) {
    const named =
      bad > MOST_NAMED
        ? t`the ${formatCount(bad)} wrong lines`
        : `${bad === 1 ? 'line' : 'lines'} ${LIST.format(badLines.map(String))}`;
    return t`Mend ${named}, or leave ${inflected(bad, 'it', 'them')} out. Until all is right, none is queued.`;
  }
  return good === 0 ? t`There is no job in it to queue.` : undefined;
}

function QueueAll({ now }: { now: ReadingNow }) {
  const { reading } = now;
  const { text, format, leaveOut: out, name } = useBatchDraft();
  const project = useBatchProject();
  const projectId = project === NO_PROJECT ? undefined : project;
  const { scheduled } = useBatchDraft();
  const off = scheduled === undefined ? whyOff(now, text.trim() === '') : scheduledWords(scheduled);
  const good = reading?.good ?? 0;
  const send = (night: boolean) => async (): Promise<SendFailure> => {
    if (!reading) return off;
    const answer = await queueAll(reading, { projectId, night });
    if (!answer.ok && answer.error.code === 'not_found') now.reload();
    return answer.ok ? undefined : answer.error;
  };
  const label = t`Queue ${counted(good, 'job')}`;
  const badLines = reading && reading.bad > 0 ? reading : undefined;
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
      <div className="row between">
        <span className="t2">{t`${counted(good, 'job')} so far`}</span>
        {reading && <PriceTag nano={reading.estimateNano} lowNano={reading.lowNano} unpriced={reading.unpriced} />}
      </div>
      {reading && <AfterPrice now={{ price: { ...reading, settled: reading.estimateNano === reading.lowNano } }} />}
      <div className="row batch-ways">
        {scheduled !== undefined && <Button onClick={clearBatch}>{t`Clear the lines`}</Button>}
        {badLines && <LeaveBadOut reading={badLines} />}
        <span className="grow" />
        {text.trim() !== '' && (
          <Button variant="ghost" onClick={() => saveText(copyName(name, format), mended(text, format, out))}>
            {t`Save a copy, mended`}
          </Button>
        )}
      </div>
    </SpendBar>
  );
}

const scheduledWords = (count: number): string =>
  t`${counted(count, 'job')} of these lines ${inflected(count, 'is', 'are')} scheduled. Change or clear the lines to queue others.`;

const ENDINGS = { csv: 'csv', jsonl: 'jsonl', lines: 'txt' };

const copyName = (name: string | undefined, format: keyof typeof ENDINGS): string => {
  const base = name?.includes('.') ? name.slice(0, name.lastIndexOf('.')) : 'jobs';
  return `${base}-mended.${ENDINGS[format]}`;
};

async function queueAll(reading: BatchReading, where: { projectId: string | undefined; night: boolean }) {
  const { readId } = reading;
  const shown: ShownPrice = shownOf(reading);
  const { text } = useBatchDraft.getState();
  const answer = await sendOnce('batch.enqueue', {
    readId,
    shown,
    ...(where.night ? { night: true } : {}),
    ...(where.projectId === undefined ? {} : { projectId: where.projectId }),
  });
  if (answer.ok) afterQueued(answer.data.count, { text, night: where.night });
  return answer;
}

/** Shows what was queued to who still waits for it: a late answer takes no other text away, and leads away from no other page. */
function afterQueued(count: number, { text, night }: { text: string; night: boolean }): void {
  const isSame = useBatchDraft.getState().text === text;
  // Scheduled from the plan of the night: the way back leads to the lines, which say so.
  if (isSame && night && !isImportShown()) return useBatchDraft.setState({ scheduled: count });
  if (isSame) clearBatch();
  const queued = t`${counted(count, 'job')} queued`;
  if (isSame && isImportShown()) {
    announce(queued);
    return navigate('queue');
  }
  toast({
    text: isSame ? t`${queued}.` : t`${queued}, of the text as it was then. The one in its place is not queued.`,
    action: { label: t`Show`, onAction: () => navigate('queue') },
  });
}

/** Every wrong line, also those that are not named here. */
function LeaveBadOut({ reading: { bad, badLines, readId } }: { reading: BatchReading }) {
  const [isBusy, setBusy] = useState(false);
  const isAllNamed = badLines.length === bad;
  const leave = async () => {
    setBusy(true);
    const { text } = useBatchDraft.getState();
    const lines = isAllNamed ? badLines : await linesToMend(readId);
    // They are the lines of this text; those of another one are other lines.
    if (useBatchDraft.getState().text === text) leaveOut(lines.map(String), true);
    setBusy(false);
  };
  return (
    <Button variant="ghost" busy={isBusy} onClick={() => void leave()}>
      {t`Leave the ${bad === 1 ? t`one` : formatCount(bad)} out`}
    </Button>
  );
}

async function linesToMend(readId: string): Promise<number[]> {
  const lines: number[] = [];
  let cursor: string | undefined = '0';
  while (cursor !== undefined) {
    const answer: Result<BatchRows> = await call('batch.rows', { readId, only: 'bad', cursor, limit: 500 });
    if (!answer.ok) break;
    lines.push(...answer.data.rows.map(({ line }) => line));
    cursor = answer.data.nextCursor;
  }
  return lines;
}
