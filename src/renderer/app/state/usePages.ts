import { useCallback, useEffect, useRef, useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { type CallInput, call, onLink, type Result, type StudioError } from '../../client/index.ts';
import { rememberAssets, rememberJobs } from './entities.ts';
import { useEvent } from './useCall.ts';

interface Page {
  ids: string[];
  nextCursor?: string;
  total: number;
}

export interface Pages extends Page {
  /** Nothing to show yet. */
  loading: boolean;
  /** What is shown belongs to an older filter. */
  stale: boolean;
  error?: StudioError;
  /** Reads the next page, where there is one. */
  more: () => void;
  reload: () => void;
}

/** Rows read at a time: a page of them stays far below the largest message between processes. */
const PAGE_ROWS = 100;
const BURST_MS = 400;

type Read = (cursor: string | undefined) => Promise<Result<Page>>;
interface State extends Page {
  key?: string;
  error?: StudioError;
}

const EMPTY: State = { ids: [], total: 0 };

/**
 * A list read by cursor. Ids only: the things themselves are in the cache that events patch. When something changes, the first
 * page is read again and laid over what is there; further pages come as the list is scrolled.
 */
function usePages(key: string, read: Read): Pages & { refresh: () => void } {
  const [state, setState] = useState<State>(EMPTY);
  const latest = useRef({ key, read, busy: false });
  latest.current.key = key;
  latest.current.read = read;

  const first = useCallback(async () => {
    const asked = latest.current.key;
    const answer = await latest.current.read(undefined);
    if (latest.current.key !== asked) return;
    setState((old) => (answer.ok ? laidOver(old, answer.data, asked) : { ...old, key: asked, error: answer.error }));
  }, []);

  const more = useCallback(async () => {
    const { key: asked, busy } = latest.current;
    if (busy || state.key !== asked || state.nextCursor === undefined) return;
    latest.current.busy = true;
    const answer = await latest.current.read(state.nextCursor);
    latest.current.busy = false;
    if (latest.current.key !== asked || !answer.ok) return;
    setState((old) => ({ ...answer.data, key: asked, ids: [...new Set([...old.ids, ...answer.data.ids])] }));
  }, [state.key, state.nextCursor]);

  const refresh = useBurst(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new list.
  useEffect(() => void first(), [key, first]);
  useEffect(() => onLink((link) => link === 'up' && void first()), [first]);
  return {
    ...state,
    loading: state.key === undefined,
    stale: state.key !== key,
    more: () => void more(),
    reload: () => void first(),
    refresh,
  };
}

/** A fresh first page over the pages that were there already. */
function laidOver(old: State, page: Page, key: string): State {
  if (old.key !== key || page.nextCursor === undefined) return { ...page, key };
  const ids = [...new Set([...page.ids, ...old.ids])];
  const cursor = old.ids.length > page.ids.length ? old.nextCursor : page.nextCursor;
  return { ids, total: page.total, nextCursor: cursor, key };
}

function useBurst(work: () => Promise<void>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void work();
    }, BURST_MS);
  }, [work]);
}

type JobFilter = Omit<CallInput<'jobs.list'>, 'cursor' | 'limit'>;
type AssetFilter = Omit<CallInput<'library.list'>, 'cursor' | 'limit'>;

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** Jobs by filter, newest first as the studio orders them. */
export function useJobPages(filter: JobFilter): Pages {
  const pages = usePages(JSON.stringify(filter), async (cursor) => {
    const answer = await call('jobs.list', { ...filter, cursor, limit: PAGE_ROWS });
    if (!answer.ok) return answer;
    const { jobs, nextCursor, total }: { jobs: Job[]; nextCursor?: string; total: number } = answer.data;
    rememberJobs(jobs);
    return { ok: true, data: { ids: idsOf(jobs), nextCursor, total } };
  });
  useEvent('job.changed', pages.refresh);
  return pages;
}

/** Assets by filter, newest first as the studio orders them. */
export function useAssetPages(filter: AssetFilter): Pages {
  const pages = usePages(JSON.stringify(filter), async (cursor) => {
    const answer = await call('library.list', { ...filter, cursor, limit: PAGE_ROWS });
    if (!answer.ok) return answer;
    const { assets, nextCursor, total }: { assets: Asset[]; nextCursor?: string; total: number } = answer.data;
    rememberAssets(assets);
    return { ok: true, data: { ids: idsOf(assets), nextCursor, total } };
  });
  useEvent('asset.changed', pages.refresh);
  // A verdict belongs to the job, and moves its pictures in and out of such a list.
  useEvent('job.changed', () => {
    if (filter.verdict !== undefined) pages.refresh();
  });
  return pages;
}
