import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { JobState } from '../../../shared/jobs/job.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import {
  announce,
  chosenCount,
  idsBetween,
  isChosen,
  NOTHING_CHOSEN,
  navigate,
  refuseAt,
  useEntities,
  useListFocus,
  useLongList,
  useNow,
  useShortcut,
  withAlso,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { CardBoundary, formatCount, MoneySwatch } from '../../ui/index.ts';
import { dropAtEnd } from './dragging.ts';
import { endOf, JobRow, ordinal } from './JobRow.tsx';
import styles from './queue.module.css';
import { type Group, type Row, rowAt, rowCount, rowOf, spansOf, stepInRows, viewsOf } from './rows.ts';
import { goToJob, OUTCOME, selectJob, toggleJob, useQueueView } from './state.ts';

const GROUP_PX = 28;
const JOB_PX = 44;
/** So many lines beside those in view are read with them. */
const AHEAD = 40;

/** The virtual list: arrows move the selection, Enter opens the result; only what is seen is in the page, and read. */
export function QueueList({ groups }: { groups: readonly Group[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  useListFocus(scroller);
  const selectedId = useQueueView((state) => state.selectedId);
  const heads = groups.map(({ list }) => list.total).join();
  const { items, height, measure, scrollToIndex } = useLongList({
    count: rowCount(groups),
    scroller,
    rowPx: JOB_PX,
    estimateSize: (index) => (rowAt(groups, index)?.type === 'group' ? GROUP_PX : JOB_PX),
    rest: { overscan: 8, initialRect: { width: 800, height: 800 } },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: which lines are headings follows the lengths of the groups.
  useEffect(() => measure(), [heads, measure]);
  useView(groups, items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1);
  const onKeyDown = useListKeys(groups, (index) => scrollToIndex(index));
  useShortcut('queue.all', () => chooseAll(groups));
  const picked = rowOf(groups, selectedId) !== undefined;
  return (
    <div
      ref={scroller}
      className={`scroll ${styles.qlist}`}
      role="listbox"
      aria-label={t`Jobs`}
      aria-multiselectable="true"
      aria-activedescendant={picked ? `job-${selectedId}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...dropAtEnd(groups)}
    >
      <div className="qspace" style={{ height: height }}>
        {items.map((item) => {
          const row = rowAt(groups, item.index);
          return (
            <div
              key={keyOf(row, item.index)}
              className="qitem"
              data-index={item.index}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {row?.type === 'group' && <GroupHead group={row.group} />}
              {row?.type === 'job' && <JobLine row={row} groups={groups} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A job keeps its element while it moves; it may stand in two groups for a moment, while it goes from one to the other. */
const keyOf = (row: Row | undefined, index: number): string | number =>
  row?.type === 'job' ? `${row.group.title} ${row.id ?? row.index}` : (row?.group.title ?? index);

/** Tells each group which of its lines are in view. */
function useView(groups: readonly Group[], from: number, to: number): void {
  const views = viewsOf(groups, Math.max(0, from - AHEAD), to + AHEAD);
  const key = JSON.stringify([...views.values()]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says all that matters of the views.
  useEffect(() => {
    for (const [{ list }, [first, end]] of views) list.see(first, end);
  }, [key, ...groups.map(({ list }) => list.see)]);
}

/** The job is in the cache, or is on its way. */
function JobLine({ row, groups }: { row: Extract<Row, { type: 'job' }>; groups: readonly Group[] }) {
  const { id } = row;
  const chosen = useQueueView(({ choice }) => id !== undefined && isChosen(choice, id));
  const active = useQueueView(({ selectedId }) => selectedId === id);
  const drop = useQueueView(({ dropBefore }) => dropBefore === id);
  const job = useEntities((state) => (row.id === undefined ? undefined : state.jobs.get(row.id)));
  const now = useNow(60_000);
  const latest = useRef(groups);
  latest.current = groups;
  const onPick = useCallback((event: MouseEvent, picked: string) => pick(latest.current, event, picked), []);
  if (!job) return <div className={styles.qrow} aria-hidden="true" />;
  const place = row.group.list.at(row.index)?.place;
  const end = row.group.isLine ? (place === undefined ? '' : ordinal(place)) : endOf(job, now);
  return (
    <CardBoundary name={t`This job`} of={job}>
      <JobRow job={job} selected={chosen} active={active} drop={drop} end={end} onPick={onPick} />
    </CardBoundary>
  );
}

const GroupHead = ({ group: { title, list, reserved } }: { group: Group }) => (
  <div className="grp" role="presentation">
    {title} <span className="t3">{formatCount(list.total)}</span>
    <span className="grow" />
    {reserved !== undefined && (
      <>
        <MoneySwatch of="reserved" />
        <span>{t`Reserved: ${reserved}`}</span>
      </>
    )}
  </div>
);

function useListKeys(groups: readonly Group[], show: (index: number) => void) {
  const goTo = useGoTo(groups);
  return (event: KeyboardEvent) => {
    if (event.altKey) return;
    const { selectedId } = useQueueView.getState();
    const isPlain = !event.ctrlKey && !event.metaKey;
    if (isPlain && selectedId !== undefined) actOn(selectedId, event);
    const next = stepInRows(groups, rowOf(groups, selectedId), event.key);
    if (next === undefined) return;
    event.preventDefault();
    goTo(next, event.shiftKey ? 'range' : isPlain ? 'only' : 'go');
    show(next);
  };
}

/** Enter opens its result, Space chooses it or lets it go. */
function actOn(id: string, event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.shiftKey) openResult(id);
  if (event.key !== ' ') return;
  event.preventDefault();
  toggleJob(id);
}

/** Goes to the job on a line, as soon as that part of the list has been read. */
function useGoTo(groups: readonly Group[]): (line: number, how: Step) => void {
  const [awaited, setAwaited] = useState<{ line: number; how: Step }>();
  const row = awaited === undefined ? undefined : rowAt(groups, awaited.line);
  const id = row?.type === 'job' ? row.id : undefined;
  const arrive = useEffectEvent((there: string, how: Step) => step(groups, there, how));
  useEffect(() => {
    if (id === undefined || !awaited) return;
    arrive(id, awaited.how);
    setAwaited(undefined);
  }, [id, awaited]);
  return (line, how) => {
    const here = rowAt(groups, line);
    if (here?.type === 'job' && here.id !== undefined) step(groups, here.id, how);
    else setAwaited({ line, how });
  };
}

function openResult(jobId: string): void {
  const asset = useEntities.getState().jobs.get(jobId)?.outputs[0];
  if (asset) navigate('library', { asset: asset.id });
}

/** How a key or a click goes to a job: it alone, from where the range began up to it, or leaving what is chosen as it is. */
type Step = 'only' | 'range' | 'go';

function step(groups: readonly Group[], id: string, how: Step): void {
  if (how === 'only') selectJob(id);
  else if (how === 'go') goToJob(id);
  else void chooseUpTo(groups, id);
}

/** A click chooses a job, with Ctrl one more or one less, with Shift all up to it. */
function pick(groups: readonly Group[], event: MouseEvent, id: string): void {
  if (event.shiftKey) void chooseUpTo(groups, id);
  else if (event.ctrlKey || event.metaKey) toggleJob(id);
  else selectJob(id);
}

/** The rule of the view, not its jobs: also what has not been read is meant. */
function chooseAll(groups: readonly Group[]): void {
  const [first] = groups;
  if (!first) return;
  const states = groups.flatMap(({ filter }) => filter.states ?? []) as JobState[];
  const total = groups.reduce((sum, { list }) => sum + list.total, 0);
  useQueueView.setState({
    choice: { ids: new Set(), all: { filter: { ...first.filter, states }, except: new Set(), total } },
  });
  announce(t`${counted(total, 'job')} chosen`);
}

/** A call about many jobs takes so many ids. */
const MOST_IDS = 10_000;

async function chooseUpTo(groups: readonly Group[], id: string): Promise<void> {
  goToJob(id);
  const { anchorId = id } = useQueueView.getState();
  const ends = [anchorId, id].map((one) => ({ at: rowOf(groups, one) ?? 0, id: one })).sort((a, b) => a.at - b.at);
  const [first = { at: 0, id }, last = first] = ends;
  if (last.at - first.at >= MOST_IDS) return tellTooMany();
  const ids: string[] = [];
  let refusal: string | undefined;
  for (const { group, ...span } of spansOf(groups, first, last)) {
    const between = await idsBetween(group.list, readIds(group), span);
    if (between.ok) ids.push(...between.data);
    else refusal ??= between.error.message;
  }
  // Another key or click was faster.
  if (useQueueView.getState().selectedId !== id) return;
  if (refusal !== undefined) return refuseAt(OUTCOME, refusal);
  if (ids.length > MOST_IDS) return tellTooMany();
  const choice = withAlso(NOTHING_CHOSEN, ids);
  useQueueView.setState({ choice });
  announce(t`${counted(chosenCount(choice), 'job')} chosen`);
}

const tellTooMany = (): void => refuseAt(OUTCOME, t`Choose at most 10,000 jobs one by one.`);

const readIds =
  ({ filter, order }: Group) =>
  async (offset: number, limit: number): Promise<Result<string[]>> => {
    const answer = await call('jobs.list', { ...filter, ...(order && { order }), offset, limit });
    return answer.ok ? ok(answer.data.jobs.map(({ id }) => id)) : answer;
  };
