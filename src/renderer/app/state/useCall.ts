import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type CallInput,
  type CallOutput,
  call,
  onEvent,
  onLink,
  type PlainCall,
  type StudioError,
  type StudioEvent,
} from '../../client/index.ts';
import { LatestRequest } from './newest.ts';

export interface CallState<Name extends PlainCall> {
  data?: CallOutput<Name>;
  error?: StudioError;
  /** Whether there is neither data nor an error yet. */
  loading: boolean;
  /** Whether the data are of an older input, or are being read again. */
  stale: boolean;
  /** Whether something has happened since the data were requested, so that newer data are on their way. */
  outdated: boolean;
  reload: () => void;
}

export interface UseCallOptions {
  /** Events after which to read again, after a short delay so that a burst is read once. */
  on?: readonly StudioEvent['type'][];
  /** Delay after a change of the input, for typing; the first input is read at once. */
  debounceMs?: number;
}

const BURST_MS = 250;

/**
 * Reads a query and keeps it fresh: again when the input changes, after the named events, and when the connection is back. While it reads,
 * the last data stay; if it fails, they stay only if they are of the same input. `input: null` reads nothing.
 */
export function useCall<Name extends PlainCall>(
  name: Name,
  input: CallInput<Name> | null,
  { on = [], debounceMs = 0 }: UseCallOptions = {},
): CallState<Name> {
  const [state, setState] = useState<{ key?: string; data?: CallOutput<Name>; error?: StudioError }>({});
  const [turn, setTurn] = useState(0);
  const [outdated, setOutdated] = useState(false);
  const happened = useRef(0);
  const isFirst = useRef(true);
  const key = input === null ? undefined : JSON.stringify(input);
  const latest = useRef(key);
  const [requests] = useState(() => new LatestRequest());
  latest.current = key;
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  const hear = useCallback(() => {
    happened.current += 1;
    setOutdated(true);
  }, []);
  // Ignores answers after the component has unmounted.
  useEffect(() => {
    latest.current = key;
    return () => {
      latest.current = undefined;
    };
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` reads again on purpose.
  useEffect(() => {
    const waitMs = isFirst.current ? 0 : debounceMs;
    isFirst.current = false;
    if (key === undefined) return;
    const timer = setTimeout(async () => {
      const counts = requests.begin();
      const since = happened.current;
      const answer = await call(name, ...([JSON.parse(key)] as never));
      if (latest.current !== key || !counts()) return;
      setOutdated(happened.current !== since);
      setState((old) =>
        answer.ok
          ? { key, data: answer.data as CallOutput<Name> }
          : { key, data: old.key === key ? old.data : undefined, error: answer.error },
      );
    }, waitMs);
    return () => clearTimeout(timer);
  }, [name, key, turn, debounceMs, requests]);

  useReloadOn(on, hear, reload);
  return {
    data: state.data,
    error: state.error,
    loading: key !== undefined && state.data === undefined && state.error === undefined,
    stale: state.key !== key,
    outdated,
    reload,
  };
}

/** Runs `work` once, shortly after a burst of calls, while the component is mounted. */
export function useBurst(work: () => void, afterMs = BURST_MS): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, afterMs);
  }, [afterMs]);
}

/** `hear` runs at once for each event, `reload` shortly after a burst of them. */
function useReloadOn(types: readonly StudioEvent['type'][], hear: () => void, reload: () => void): void {
  const names = types.join(' ');
  const reloadSoon = useBurst(reload);
  useEffect(() => {
    const wanted = new Set(names.split(' '));
    const offEvent = onEvent((event) => {
      if (!wanted.has(event.type)) return;
      hear();
      reloadSoon();
    });
    const offLink = onLink((link) => {
      if (link !== 'up') return;
      hear();
      reload();
    });
    return () => {
      offEvent();
      offLink();
    };
  }, [names, hear, reload, reloadSoon]);
}

/** Calls `handler` for every event of one type while the component is mounted. */
export function useEvent<Type extends StudioEvent['type']>(
  type: Type,
  handler: (event: Extract<StudioEvent, { type: Type }>) => void,
): void {
  const handle = useEffectEvent(handler);
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type === type) handle(event as Extract<StudioEvent, { type: Type }>);
      }),
    [type],
  );
}

/** The current time, updated every `everyMs`: for clocks and remaining hours. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
