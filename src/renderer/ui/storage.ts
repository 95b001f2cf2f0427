import { useSyncExternalStore } from 'react';
import type { Asset, AssetState } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { storageWords } from '../words/index.ts';

/** How long a file stays at the gateway, as shown on every tile. */

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Below this many hours the remaining time is amber. */
const WARN_HOURS = 48;

export interface StorageState extends Pick<Asset, 'expiresAt' | 'expiryAssumed' | 'deleted'> {
  state: AssetState;
}

/** Whether a file is only at the gateway and expires soon; an unknown expiry may be at any time. */
export const endsSoon = ({ state, expiresAt }: StorageState, now: number): boolean =>
  state === 'remote' && (expiresAt === undefined || expiresAt - now < WARN_HOURS * HOUR);

/** Whether a file is only at the gateway, for less than an hour more. */
export const isLastHour = ({ state, expiresAt = 0 }: StorageState, now: number): boolean =>
  state === 'remote' && expiresAt > now && expiresAt - now < HOUR;

/** `23 h`, below an hour `40 min`, `link ended`; `about 23 h` for an assumed expiry. Undefined if nothing expires. */
export function timeLeft({ state, expiresAt, expiryAssumed }: StorageState, now: number): string | undefined {
  if (state !== 'remote' || expiresAt === undefined) return undefined;
  const left = expiresAt - now;
  if (left <= 0) return expiryAssumed ? t`link may have ended` : t`link ended`;
  const words = left < HOUR ? t`${Math.max(1, Math.floor(left / MINUTE))} min` : `${Math.floor(left / HOUR)} h`;
  return expiryAssumed ? t`about ${words}` : words;
}

/** `Stored here`; `At the gateway, 23 h left`; `At the gateway, 40 min left`; `At the gateway, its link has ended`. */
export function storageSentence(storage: StorageState, now: number): string {
  const title = storageWords(storage);
  const left = timeLeft(storage, now);
  if (left === undefined) return title;
  if ((storage.expiresAt ?? 0) > now) return t`${title}, ${left} left`;
  return storage.expiryAssumed ? t`${title}, its link may have ended` : t`${title}, its link has ended`;
}

/** The longest time that it is out of date. */
const EVERY_MS = 20_000;

/** Checks the clock while the window is visible, and when it becomes visible again. */
function subscribe(listener: () => void): () => void {
  const look = () => document.visibilityState === 'visible' && listener();
  const timer = setInterval(look, EVERY_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

const noSubscription = () => () => undefined;

interface StorageWords {
  left: string | undefined;
  words: string;
  isSoon: boolean;
  /** Less than an hour left: also shown by another shape. */
  isLast: boolean;
}

/** Where a file is stored, in words: renders again only when the words change, and never for files stored here. */
export function useStorage(storage: StorageState): StorageWords {
  const ends = storage.state === 'remote' && storage.expiresAt !== undefined;
  const read = () => {
    const at = Date.now();
    const level = isLastHour(storage, at) ? 'last' : endsSoon(storage, at) ? 'soon' : '';
    return `${timeLeft(storage, at) ?? ''}\n${storageSentence(storage, at)}\n${level}`;
  };
  const [left, words = '', level] = useSyncExternalStore(ends ? subscribe : noSubscription, read).split('\n');
  return { left: left === '' ? undefined : left, words, isSoon: level !== '', isLast: level === 'last' };
}
