import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import type { ConversationPage, JobPage } from '../../../shared/jobs/lists.ts';
import type { AssetPage } from '../../../shared/library/asset.ts';
import { type CallInput, call, onLink, type StudioError } from '../../client/index.ts';
import { cacheAssets, cacheConversations, cacheJobs, keepCached, needsReading, useEntities } from './entities.ts';
import { type Line, type ListPort, type ListState, PAGE_LINES, PagedList } from './pagedList.ts';
import { useBurst, useEvent } from './useCall.ts';

/** A list of any length, of which the part in view is read and kept fresh. */
export interface Listing<Whole = undefined> {
  /** Changes whenever anything of the list does. */
  state: ListState<Whole>;
  total: number;
  /** There are more than `total`: they are counted in a moment. */
  isMore: boolean;
  whole: Whole | undefined;
  /** Nothing to show yet. */
  loading: boolean;
  /** What is shown belongs to an older filter. */
  stale: boolean;
  error: StudioError | undefined;
  /** The line at a place, counted from 0; undefined until it has been read. */
  at(index: number): Line | undefined;
  indexOf(id: string): number | undefined;
  /** Whether what stands at a place was read since the last change. */
  isNew(index: number): boolean;
  /** These lines are in view, the last one not included. */
  see(from: number, to: number): void;
  reload(): void;
}

/** The first part of a list, which grows as more of it is asked for. */
export interface Pages {
  ids: readonly string[];
  total: number;
  loading: boolean;
  stale: boolean;
  error: StudioError | undefined;
  /** There are more. */
  hasMore: boolean;
  more(): void;
  reload(): void;
}

type Read<Whole> = ListPort<Whole>['read'];

/** While another filter's list is being read, the one before it stays in view. */
function useList<Whole>(key: string, kept: 'jobs' | 'assets' | 'conversations', read: Read<Whole>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new list, which reads as the key says.
  const list = useMemo(
    () =>
      new PagedList<Whole>({
        read,
        hold: keepCached,
        isKnown: (id) => !needsReading(useEntities.getState()[kept].get(id)),
      }),
    [key],
  );
  useEffect(() => {
    list.open();
    const offLink = onLink((link) => link === 'up' && list.refresh());
    return () => {
      offLink();
      list.close();
    };
  }, [list]);
  const own = useSyncExternalStore(list.subscribe, list.state);
  const last = useRef(list);
  if (own.isRead || own.error) last.current = list;
  return { list, shown: last.current };
}

function listingOf<Whole>(list: PagedList<Whole>, shown: PagedList<Whole>): Listing<Whole> {
  const state = shown.state();
  return {
    state,
    total: state.total,
    isMore: state.isMore,
    whole: state.whole,
    loading: !state.isRead && !state.error,
    stale: shown !== list,
    error: state.error,
    at: (index) => shown.at(index),
    indexOf: (id) => shown.indexOf(id),
    isNew: (index) => shown.isNew(index),
    see: list.see,
    reload: list.refresh,
  };
}

type JobFilter = Omit<CallInput<'jobs.list'>, 'cursor' | 'limit' | 'offset'>;
export type AssetFilter = CallInput<'library.facets'>;
type Waiting = NonNullable<JobPage['waiting']>;

/** A place belongs to the list it was read in, not to the job: it changes without the job. */
const withoutPlace = ({ place: _, ...job }: Job): Job => job;

const readJobs =
  (filter: JobFilter): Read<Waiting> =>
  async (offset, limit) => {
    const answer = await call('jobs.list', { ...filter, offset, limit });
    if (!answer.ok) return answer;
    const { jobs, total, waiting }: JobPage = answer.data;
    cacheJobs(jobs.map(withoutPlace));
    return { ok: true, data: { lines: jobs.map(({ id, place }) => ({ id, place })), total, whole: waiting } };
  };

function useJobs(filter: JobFilter) {
  const lists = useList<Waiting>(JSON.stringify(filter), 'jobs', readJobs(filter));
  const refresh = useBurst(lists.list.refresh);
  useEvent('job.changed', refresh);
  // Every place changes with the job in front that leaves the line.
  useEvent('queue.changed', () => filter.order === 'queue' && refresh());
  return lists;
}

/** Jobs by filter: newest first, or as the queue is sent. */
export function useJobList(filter: JobFilter): Listing<Waiting> {
  const { list, shown } = useJobs(filter);
  return listingOf(list, shown);
}

/** The newest jobs by filter, and more of them on demand. */
export function useJobPages(filter: JobFilter): Pages {
  const { list, shown } = useJobs(filter);
  const { total, loading, stale, error, reload, state } = listingOf(list, shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is another one whenever the lines are.
  const ids = useMemo(() => shown.top().map(({ id }) => id), [shown, state]);
  const more = () => list.see(0, ids.length + PAGE_LINES);
  return { ids, total, loading, stale, error, reload, more, hasMore: ids.length < total };
}

export type Days = NonNullable<AssetPage['days']>;

export type AssetSort = NonNullable<CallInput<'library.list'>['sort']>;

/** What is found is counted so far while its words are typed: for a letter it is most of what there is. */
export const FOUND_AT_ONCE = 10_000;
/** Typing rests for so long before all of it is counted. */
export const REST_MS = 700;

/** Reads again once typing rests where a list was counted so far only: `whole` is the key of the list of which all is. */
function useRest<Whole>(key: string, list: PagedList<Whole>, whole: { current: string | undefined }): void {
  const { isMore } = list.state();
  useEffect(() => {
    if (!isMore) return;
    const timer = setTimeout(() => {
      whole.current = key;
      list.refresh();
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [isMore, key, list, whole]);
}

/** Assets by filter, newest first or in another order, with the days they were made on. */
export function useAssetList(filter: AssetFilter, sort?: AssetSort): Listing<Days> {
  const order = sort ? { sort } : {};
  const key = JSON.stringify({ ...filter, ...order });
  /** The list of which all is counted. */
  const whole = useRef<string>(undefined);
  const { list, shown } = useList<Days>(key, 'assets', async (offset, limit, isFirst) => {
    const counting = isFirst ? { days: true as const, ...boundOf(filter, sort, whole.current === key) } : { upTo: 1 };
    const answer = await call('library.list', { ...filter, ...order, offset, limit, ...counting });
    if (!answer.ok) return answer;
    const { assets, total, days, isMore }: AssetPage = answer.data;
    cacheAssets(assets);
    const lines = assets.map(({ id }) => ({ id }));
    return {
      ok: true,
      data: { lines, total: isFirst || !isMore ? total : undefined, whole: days, isMore: isFirst && isMore },
    };
  });
  useRest(key, list, whole);
  const refresh = useBurst(list.refresh);
  useEvent('asset.changed', refresh);
  // A verdict belongs to the job, and moves its pictures in and out of such a list.
  useEvent('job.changed', () => {
    if (filter.verdict !== undefined) refresh();
  });
  return listingOf(list, shown);
}

/** Oldest first, the days of the newest are of no use. */
const boundOf = ({ text }: AssetFilter, sort: AssetSort | undefined, isWhole: boolean) =>
  text === undefined || isWhole || (sort?.by === 'made' && sort.order === 'asc') ? {} : { upTo: FOUND_AT_ONCE };

type ConversationFilter = Omit<CallInput<'chat.list'>, 'cursor' | 'limit' | 'offset'>;

/** So many of the newest messages that have a word are looked through while it is typed. */
const SAID_AT_ONCE = 1_000;

/** Conversations by filter; what was said last is first. */
export function useConversationList(filter: ConversationFilter): Listing {
  const key = JSON.stringify(filter);
  const whole = useRef<string>(undefined);
  const { list, shown } = useList<undefined>(key, 'conversations', async (offset, limit) => {
    const bound = filter.text === undefined || whole.current === key ? {} : { upTo: SAID_AT_ONCE };
    const answer = await call('chat.list', { ...filter, offset, limit, ...bound });
    if (!answer.ok) return answer;
    const { conversations, total, isMore }: ConversationPage = answer.data;
    cacheConversations(conversations);
    return { ok: true, data: { lines: conversations.map(({ id }) => ({ id })), total, isMore } };
  });
  useRest(key, list, whole);
  useEvent('conversation.changed', useBurst(list.refresh));
  return listingOf(list, shown);
}
