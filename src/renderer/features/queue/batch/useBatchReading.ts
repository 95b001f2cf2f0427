import { useEffect, useMemo, useRef, useState } from 'react';
import type { BatchReading } from '../../../../shared/batch.ts';
import { columnNames } from '../../../../shared/tableText.ts';
import { useActiveProfile, useEvent } from '../../../app/index.ts';
import { call, type StudioError } from '../../../client/index.ts';
import { useBatchDraft } from './useBatchDraft.ts';

/** What the studio says of the text, read again a moment after each change of it. */
export interface ReadingNow {
  /** The last reading; while another one is made it is the one before. */
  reading: BatchReading | undefined;
  error: StudioError | undefined;
  /** The reading is not of the text as it stands. */
  isOutdated: boolean;
  /** When it was read. */
  at: number;
  reload: () => void;
}

const READ_DELAY_MS = 120;

export function useBatchReading(): ReadingNow {
  const { text, format, leaveOut, kind } = useBatchDraft();
  const profileId = useActiveProfile()?.id;
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((value) => value + 1);
  useEvent('profiles.changed', reload);
  useEvent('projects.changed', reload);
  const needsKind = useMemo(
    () => format === 'lines' || (format === 'csv' && !columnNames(text).includes('kind')),
    [text, format],
  );
  // A new object for each text, so that an answer is known to be of the one that stands there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another gateway has other prices, and `turn` reads again on purpose.
  const asked = useMemo(
    () => ({ text, format, leaveOut: [...leaveOut], ...(needsKind ? { defaults: { kind } } : {}) }),
    [text, format, leaveOut, needsKind, kind, profileId, turn],
  );
  const [state, setState] = useState<{ of?: object; reading?: BatchReading; error?: StudioError; at: number }>({
    at: 0,
  });
  const latest = useRef(asked);
  latest.current = asked;
  useEffect(() => {
    if (asked.text.trim() === '') return setState({ of: asked, at: 0 });
    const timer = setTimeout(async () => {
      const answer = await call('batch.read', asked);
      if (latest.current !== asked) return;
      const at = Date.now();
      setState(answer.ok ? { of: asked, reading: answer.data, at } : { of: asked, error: answer.error, at });
    }, READ_DELAY_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return {
    reading: state.reading,
    error: state.error,
    isOutdated: state.of !== asked,
    at: state.at,
    reload,
  };
}
