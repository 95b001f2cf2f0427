import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import type { ConversationPage, JobPage } from '../../../shared/jobs/lists.ts';
import type { AssetPage } from '../../../shared/library/asset.ts';
import { type CallInput, call, onLink, type StudioError } from '../../client/index.ts';
import { cacheAssets, cacheConversations, cacheJobs, keepCached, needsReading, useEntities } from './entities.ts';
import { type Line, type ListPort, type ListState, PAGE_LINES, PagedList } from './pagedList.ts';
import { useBurst, useEvent } from './useCall.ts';

/** A list of any length whose visible part is read and kept fresh. */
export interface Listing<Whole = undefined> {
  /** Changes whenever anything in the list does. */
  state: ListState<Whole>;
  total: number;
  /** Whether there are more than `total`; they are counted shortly. */
  isMore: boolean;
  whole: Whole | undefined;
  /** Whether there is nothing to show yet. */
  loading: boolean;
  /** Whether the shown rows are of an older filter. */
  stale: boolean;
  error: StudioError | undefined;
  /** The row at an index; undefined until it has been read. */
  at(index: number): Line | undefined;
  indexOf(id: string): number | undefined;
  /** Whether this index was read since the last change. */
  isNew(index: number): boolean;
  /** Sets the rows in view, `to` excluded. */
  see(from: number, to: number): void;
  reload(): void;
}

/** The first part of a list; more of it on request. */
export interface Pages {
  ids: readonly string[];
  total: number;
  loading: boolean;
  stale: boolean;
  error: StudioError | undefined;
  /** Whether there are more. */
  hasMore: boolean;
  more(): void;
  reload(): void;
}

type Read<Whole> = ListPort<Whole>['read'];

/** While the list of another filter is being read, the previous one stays in view. */
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

/** The queue place changes without the job, so it belongs to the list. */
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
  // When the first job leaves the queue, every place changes.
  useEvent('queue.changed', () => filter.order === 'queue' && refresh());
  return lists;
}

/** Jobs by filter: newest first, or in queue order. */
export function useJobList(filter: JobFilter): Listing<Waiting> {
  const { list, shown } = useJobs(filter);
  return listingOf(list, shown);
}

/** The newest jobs by filter; more on request. */
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

/** While the user types, results are counted up to this number: a single letter matches most items. */
export const FOUND_AT_ONCE = 10_000;
/** All results are counted after this pause in typing. */
export const REST_MS = 700;

/**
 * Reads again after a pause in typing if the results were counted only in part. `whole` is the key of the list that is counted completely.
 */
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

/** Assets by filter, newest first or in another order, with their days. */
export function useAssetList(filter: AssetFilter, sort?: AssetSort): Listing<Days> {
  const order = sort ? { sort } : {};
  const key = JSON.stringify({ ...filter, ...order });
  /** The key of the list that is counted completely. */
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
  // The rating belongs to the job, and moves its assets in and out of such a list.
  useEvent('job.changed', () => {
    if (filter.verdict !== undefined) refresh();
  });
  return listingOf(list, shown);
}

/** With the oldest first, the days of the newest are useless. */
const boundOf = ({ text }: AssetFilter, sort: AssetSort | undefined, isWhole: boolean) =>
  text === undefined || isWhole || (sort?.by === 'made' && sort.order === 'asc') ? {} : { upTo: FOUND_AT_ONCE };

type ConversationFilter = Omit<CallInput<'chat.list'>, 'cursor' | 'limit' | 'offset'>;

/** While the user types, this many of the newest matching messages are searched. */
const SAID_AT_ONCE = 1_000;

/** Conversations by filter, those with the latest message first. */
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
