import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { isChosen, navigate, useEntities, useListFocus, useLongList, useNow, useShortcut } from '../../app/index.ts';
import { CardBoundary, formatCount, MoneySwatch } from '../../ui/index.ts';
import { chooseAll, pick, type Step, step } from './choosing.ts';
import { dropAtEnd } from './dragging.ts';
import { endOf, JobRow, ordinal } from './JobRow.tsx';
import styles from './queue.module.css';
import { type Group, type Row, rowAt, rowCount, rowOf, stepInRows, viewsOf } from './rows.ts';
import { toggleJob, useQueueView } from './state.ts';

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
