import { useEffect, useRef, useState } from 'react';
import type { TriagePage, TriageTake } from '../../../../shared/triage/calls.ts';
import { useStudio } from '../../../app/index.ts';
import { call, onEvent, type StudioError, type StudioEvent } from '../../../client/index.ts';

/** The takes of a night, or those since a moment; without either, of the newest night. */
export type TriageOf = { runId: string } | { since: number } | Record<string, never>;

export interface TriageState {
  takes: TriageTake[];
  run?: TriagePage['run'];
  others: number;
  lastEndedAt?: number;
  limits: TriagePage['limits'];
  error?: StudioError;
  /** Nothing was read yet. */
  loading: boolean;
  reload: () => void;
}

/** After these something in the list may be another. */
const CHANGES: ReadonlySet<StudioEvent['type']> = new Set(['media.measured', 'board.changed', 'job.changed']);
/** Several changes in quick succession are read once; a list of thousands less often, since it is read in many calls. */
const BURST_MS = 250;
const LONG_LIST = 100;

type Read = Omit<TriageState, 'loading' | 'reload'> & { key: string };

/** Reads the whole list, and again when something of it has changed; what was never measured is measured from then on. */
export function useTriage(of: TriageOf | null): TriageState {
  const key = of === null ? undefined : JSON.stringify(of);
  const connection = useStudio((state) => state.connection);
  const [turn, setTurn] = useState(0);
  const [read, setRead] = useState<Read>();
  const reload = useRef(() => setTurn((value) => value + 1)).current;
  const length = useRef(0);
  length.current = read?.takes.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` and the connection read again on purpose.
  useEffect(() => {
    if (key === undefined) return;
    let isCurrent = true;
    void readAll(key).then((next) => {
      if (!isCurrent) return;
      // What was read before stays where it cannot be read now.
      setRead((old) => (next.error && old?.key === key ? { ...old, error: next.error } : next));
    });
    return () => {
      isCurrent = false;
    };
  }, [key, turn, connection]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onEvent(({ type }) => {
      if (!CHANGES.has(type)) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          reload();
        },
        BURST_MS * Math.max(1, length.current / LONG_LIST),
      );
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [reload]);
  const isKnown = read !== undefined && read.key === key;
  return { ...(isKnown ? read : NOTHING), loading: key !== undefined && !isKnown, reload };
}

const NOTHING = { takes: [], others: 0, limits: {} };

async function readAll(key: string): Promise<Read> {
  const of = JSON.parse(key) as TriageOf;
  const all: Read = { key, takes: [], others: 0, limits: {} };
  let cursor: string | undefined;
  do {
    const answer = await call('triage.list', { ...of, ...(cursor === undefined ? {} : { cursor }) });
    if (!answer.ok) return { ...all, error: answer.error };
    const { takes, others, limits, run, lastEndedAt, nextCursor } = answer.data;
    all.takes.push(...takes);
    all.others += others;
    all.limits = { ...all.limits, ...limits };
    if (run) all.run = run;
    if (lastEndedAt !== undefined) all.lastEndedAt = lastEndedAt;
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}
