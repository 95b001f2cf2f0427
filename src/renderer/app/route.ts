import { useMemo, useSyncExternalStore } from 'react';

/** Pages in the order of the rail, which help is not on. */
export const PAGE_IDS = [
  ...(['storyboard', 'chat', 'images', 'queue', 'review', 'library', 'spend', 'settings'] as const),
  'help' as const,
];
export type PageId = (typeof PAGE_IDS)[number];

export interface Route {
  page: PageId;
  /** A part of the page with an address of its own: `night` of `#/queue/night`. */
  part?: string;
  /** What the page is asked to show: `job`, `asset`, `conversation`, `section` … */
  params: URLSearchParams;
}

/** `#/queue?job=ID`, `#/queue/night?run=ID` → route; anything unknown is the board. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name, part] = path.split('/');
  const page = PAGE_IDS.find((id) => id === name) ?? 'storyboard';
  const params = new URLSearchParams(query);
  // Links that were written before takes had a page of their own lead there.
  const isReview = page === 'queue' && (part === 'triage' || params.get('state') === 'judge');
  if (isReview) return { page: 'review', params };
  return { page, ...(part ? { part } : {}), params };
}

export function hashOf(page: PageId, params: Record<string, string> = {}, part?: string): string {
  const query = new URLSearchParams(params).toString();
  return `#/${page}${part === undefined ? '' : `/${part}`}${query === '' ? '' : `?${query}`}`;
}

/** Goes to a page or to a part of it, with what it shall show. Where that is the address already, it is shown once more. */
export function navigate(page: PageId, params: Record<string, string> = {}, part?: string): void {
  const hash = hashOf(page, params, part);
  if (window.location.hash !== hash) {
    window.location.hash = hash;
    return;
  }
  window.history.replaceState(crypto.randomUUID(), '');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes the parameters of the page without a step in the history. */
export function replaceParams(page: PageId, params: Record<string, string>): void {
  window.history.replaceState(null, '', hashOf(page, params));
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** With what tells apart that the same is asked for once more. */
const address = (): string => `${window.location.hash}\n${window.history.state ?? ''}`;

/** The route of the address; another object each time that something is asked for, also the same once more. */
export function useRoute(): Route {
  const asked = useSyncExternalStore(subscribe, address);
  return useMemo(() => parseRoute(asked.replace(/\n.*/, '')), [asked]);
}
