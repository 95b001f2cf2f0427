import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useRef } from 'react';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { JobState } from '../../../shared/jobs/job.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  idsBetween,
  isChosen,
  navigate,
  stepOf,
  useEntities,
  useListFocus,
  useLongList,
  useNow,
  useShortcut,
  useStepTo,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { CardBoundary, formatCount, MoneySwatch } from '../../ui/index.ts';
import { dropAtEnd } from './dragging.ts';
import { endOf, JobRow } from './JobRow.tsx';
import styles from './queue.module.css';
import { type Group, type Row, rowAt, rowCount, rowOf, spansOf, stepInRows, viewsOf } from './rows.ts';
import { jobChoice, useQueueView } from './state.ts';

const GROUP_PX = 28;
const JOB_PX = 44;
/** This many lines before and after the visible ones are read with them. */
const AHEAD = 40;

/** The virtual list: arrows move the selection, Enter opens the result. Only lines in view are rendered and read. */
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
      className={`scroll panel-ring ${styles.qlist}`}
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

/** A job keeps its element while it moves. It may be in two groups for a moment during the change. */
const keyOf = (row: Row | undefined, index: number): string | number =>
  row?.type === 'job' ? `${row.group.title} ${row.id ?? row.index}` : (row?.group.title ?? index);

/** Tells each group which of its lines are visible. */
function useView(groups: readonly Group[], from: number, to: number): void {
  const views = viewsOf(groups, Math.max(0, from - AHEAD), to + AHEAD);
  const key = JSON.stringify([...views.values()]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says all that matters of the views.
  useEffect(() => {
    for (const [{ list }, [first, end]] of views) list.see(first, end);
  }, [key, ...groups.map(({ list }) => list.see)]);
}

/** The job is in the cache, or being read. */
function JobLine({ row, groups }: { row: Extract<Row, { type: 'job' }>; groups: readonly Group[] }) {
  const { id } = row;
  const chosen = useQueueView(({ choice }) => id !== undefined && isChosen(choice, id));
  const active = useQueueView(({ selectedId }) => selectedId === id);
  const drop = useQueueView(({ dropBefore }) => dropBefore === id);
  const job = useEntities((state) => (row.id === undefined ? undefined : state.jobs.get(row.id)));
  const now = useNow(60_000);
  const latest = useRef(groups);
  latest.current = groups;
  const onPick = useCallback(
    (event: MouseEvent, picked: string) => jobChoice.pick(shownOf(latest.current), event, picked),
    [],
  );
  if (!job) return <div className={styles.qrow} aria-hidden="true" />;
  const place = row.group.list.at(row.index)?.place;
  const end = row.group.isLine ? (place === undefined ? '' : `#${formatCount(place)}`) : endOf(job, now);
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
  const idAt = (line: number) => {
    const row = rowAt(groups, line);
    return row?.type === 'job' ? row.id : undefined;
  };
  const goTo = useStepTo(idAt, (id, how) => jobChoice.step(shownOf(groups), id, how));
  return (event: KeyboardEvent) => {
    if (event.altKey) return;
    const { selectedId } = useQueueView.getState();
    if (selectedId !== undefined && !event.ctrlKey && !event.metaKey) actOn(selectedId, event);
    const next = stepInRows(groups, rowOf(groups, selectedId), event.key);
    if (next === undefined) return;
    event.preventDefault();
    goTo(next, stepOf(event));
    show(next);
  };
}

/** Enter opens the result, Space toggles the selection. */
function actOn(id: string, event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.shiftKey) openResult(id);
  if (event.key !== ' ') return;
  event.preventDefault();
  jobChoice.toggle(id);
}

function openResult(jobId: string): void {
  const asset = useEntities.getState().jobs.get(jobId)?.outputs[0];
  if (asset) navigate('library', { asset: asset.id });
}

/** Selects by the rule of the view and not by its jobs, so that unread ones are included. */
function chooseAll(groups: readonly Group[]): void {
  const [first] = groups;
  if (!first) return;
  const states = groups.flatMap(({ filter }) => filter.states ?? []) as JobState[];
  const total = groups.reduce((sum, { list }) => sum + list.total, 0);
  jobChoice.all({ ...first.filter, states }, total);
}

/** A range spans all groups; if a part of it cannot be read, nothing is selected. */
const shownOf = (groups: readonly Group[]): Parameters<typeof jobChoice.pick>[0] => ({
  placeOf: (id) => rowOf(groups, id),
  idsOf: async (first, last) => {
    const ids: string[] = [];
    for (const { group, ...span } of spansOf(groups, first, last)) {
      const between = await idsBetween(group.list, readIds(group), span);
      if (!between.ok) return between;
      ids.push(...between.data);
    }
    return ok(ids);
  },
});

const readIds =
  ({ filter, order }: Group) =>
  async (offset: number, limit: number): Promise<Result<string[]>> => {
    const answer = await call('jobs.list', { ...filter, ...(order && { order }), offset, limit });
    return answer.ok ? ok(answer.data.jobs.map(({ id }) => id)) : answer;
  };
