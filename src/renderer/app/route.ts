import { useMemo, useSyncExternalStore } from 'react';

/** Pages in the order of the rail; help is not in it. */
export const PAGE_IDS = [
  ...(['storyboard', 'chat', 'images', 'queue', 'review', 'library', 'spend', 'settings'] as const),
  'help' as const,
];
export type PageId = (typeof PAGE_IDS)[number];

export interface Route {
  page: PageId;
  /** A part of the page with its own address: `night` in `#/queue/night`. */
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
  // Links from before Review was a page of its own.
  const isReview = page === 'queue' && (part === 'triage' || params.get('state') === 'judge');
  if (isReview) return { page: 'review', params };
  return { page, ...(part ? { part } : {}), params };
}

export function hashOf(page: PageId, params: Record<string, string> = {}, part?: string): string {
  const query = new URLSearchParams(params).toString();
  return `#/${page}${part === undefined ? '' : `/${part}`}${query === '' ? '' : `?${query}`}`;
}

/** Goes to a page or a part of it. If the address is already that, the page shows it again. */
export function navigate(page: PageId, params: Record<string, string> = {}, part?: string): void {
  const hash = hashOf(page, params, part);
  if (window.location.hash !== hash) {
    window.location.hash = hash;
    return;
  }
  window.history.replaceState(crypto.randomUUID(), '');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes the page's parameters without a new history entry. */
export function replaceParams(page: PageId, params: Record<string, string>): void {
  window.history.replaceState(null, '', hashOf(page, params));
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Includes the history state, which differs when the same address is opened again. */
const address = (): string => `${window.location.hash}\n${window.history.state ?? ''}`;

/** The current route: a new object for each navigation, even to the same address. */
export function useRoute(): Route {
  const asked = useSyncExternalStore(subscribe, address);
  return useMemo(() => parseRoute(asked.replace(/\n.*/, '')), [asked]);
}
