import { useSyncExternalStore } from 'react';
import type { Asset, AssetState } from '../../shared/asset.ts';
import { t } from '../../shared/texts.ts';
import { storageWords } from '../words/index.ts';

/** How long what is only at the gateway stays there, as it is told on every tile. */

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Below this the hours that are left are amber. */
const WARN_HOURS = 48;

export interface StorageState extends Pick<Asset, 'expiresAt' | 'expiryAssumed' | 'deleted'> {
  state: AssetState;
}

/** Only at the gateway, and soon not even there; a link without a known end may end at any time. */
export const endsSoon = ({ state, expiresAt }: StorageState, now: number): boolean =>
  state === 'remote' && (expiresAt === undefined || expiresAt - now < WARN_HOURS * HOUR);

/** Only at the gateway, and for less than an hour more. */
export const isLastHour = ({ state, expiresAt = 0 }: StorageState, now: number): boolean =>
  state === 'remote' && expiresAt > now && expiresAt - now < HOUR;

/** `23 h`, below an hour `40 min`, `link ended`; `about 23 h` where nobody said when. Undefined where nothing ends. */
export function timeLeft({ state, expiresAt, expiryAssumed }: StorageState, now: number): string | undefined {
  if (state !== 'remote' || expiresAt === undefined) return undefined;
  const left = expiresAt - now;
  if (left <= 0) return expiryAssumed ? t`link may have ended` : t`link ended`;
  const words = left < HOUR ? t`${Math.max(1, Math.floor(left / MINUTE))} min` : `${Math.floor(left / HOUR)} h`;
  return expiryAssumed ? t`about ${words}` : words;
}

/** `On disk, verified`; `Only at gateway, 23 h left`; `Only at gateway, 40 min left, its last hour`; `Only at gateway, its link has ended`. */
export function custodyWords(storage: StorageState, now: number): string {
  const { title } = storageWords(storage);
  const left = timeLeft(storage, now);
  if (left === undefined) return title;
  if ((storage.expiresAt ?? 0) > now)
    return t`${title}, ${left} left${isLastHour(storage, now) ? t`, its last hour` : ''}`;
  return t`${title}, its link ${storage.expiryAssumed ? t`may have` : t`has`} ended`;
}

/** As long as it is at most out of date. */
const EVERY_MS = 20_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of [...listeners]) listener();
}

/** One clock for all tiles: it goes while one of them is there and the window can be seen. */
function setClock(): void {
  const isWanted = listeners.size > 0 && document.visibilityState === 'visible';
  if (isWanted === (timer !== undefined)) return;
  clearInterval(timer);
  timer = isWanted ? setInterval(tick, EVERY_MS) : undefined;
}

function onSight(): void {
  setClock();
  if (timer !== undefined) tick();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener('visibilitychange', onSight);
    now = Date.now();
  }
  listeners.add(listener);
  setClock();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) document.removeEventListener('visibilitychange', onSight);
    setClock();
  };
}

const noSubscription = () => () => undefined;
/** Before the clock goes nobody has read it. */
const timeNow = (): number => (listeners.size > 0 ? now : Date.now());

interface Custody {
  left: string | undefined;
  words: string;
  isSoon: boolean;
  /** Less than an hour is left: it has another shape too, not only another colour. */
  isLast: boolean;
}

/** What is said of a file's custody: renders again only when the words change, and what lies on the disk never. */
export function useCustody(storage: StorageState): Custody {
  const ends = storage.state === 'remote' && storage.expiresAt !== undefined;
  const read = () => {
    const at = timeNow();
    const level = isLastHour(storage, at) ? 'last' : endsSoon(storage, at) ? 'soon' : '';
    return `${timeLeft(storage, at) ?? ''}\n${custodyWords(storage, at)}\n${level}`;
  };
  const [left, words = '', level] = useSyncExternalStore(ends ? subscribe : noSubscription, read).split('\n');
  return { left: left === '' ? undefined : left, words, isSoon: level !== '', isLast: level === 'last' };
}
