import { useEffect, useMemo, useState } from 'react';
import { ok, type Result } from '../../../../shared/contract/result.ts';
import type { BatchReading, BatchRow } from '../../../../shared/jobs/batch.ts';
import { columnNames } from '../../../../shared/tables/tableText.ts';
import { useActiveProfile, useEvent } from '../../../app/index.ts';
import { call, type StudioError } from '../../../client/index.ts';
import { jobs, useJobsChoice } from './jobs.ts';

export interface JobsReading {
  /** The latest result; until the text is read again, it belongs to the previous text. */
  reading: BatchReading | undefined;
  /** All of them. */
  rows: readonly BatchRow[] | undefined;
  error: StudioError | undefined;
  isOutdated: boolean;
  reload: () => void;
}

const READ_DELAY_MS = 120;
const MOST_ROWS = 500;

type Read = Pick<JobsReading, 'reading' | 'rows'>;
const NOTHING: Read = { reading: undefined, rows: undefined };

/** Reads the text a moment after each change. */
export function useJobsReading(): JobsReading {
  const { text, format, skipped } = jobs.useDraft();
  const kind = useJobsChoice((choice) => choice.kind);
  const profileId = useActiveProfile()?.id;
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((value) => value + 1);
  useEvent('profiles.changed', reload);
  useEvent('projects.changed', reload);
  const needsKind = useMemo(
    () => format === 'lines' || (format === 'csv' && !columnNames(text).includes('kind')),
    [text, format],
  );
  // A new object for each text tells to which one an answer belongs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another gateway has other prices, and `turn` reads again on purpose.
  const asked = useMemo(
    () => ({ text, format, leaveOut: [...skipped], ...(needsKind ? { defaults: { kind } } : {}) }),
    [text, format, skipped, needsKind, kind, profileId, turn],
  );
  const [state, setState] = useState<Read & { of?: object; error?: StudioError }>(NOTHING);
  useEffect(() => {
    if (asked.text.trim() === '') return setState({ of: asked, ...NOTHING });
    let isWanted = true;
    const timer = setTimeout(async () => {
      const answer = await readAll(asked, () => isWanted);
      if (!isWanted) return;
      setState(answer.ok ? { of: asked, ...answer.data } : { of: asked, error: answer.error, ...NOTHING });
    }, READ_DELAY_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return { ...state, error: state.error, isOutdated: state.of !== asked, reload };
}

async function readAll(
  asked: Parameters<typeof call<'batch.read'>>[1],
  isWanted: () => boolean,
): Promise<Result<Read>> {
  const answer = await call('batch.read', asked);
  if (!answer.ok) return answer;
  const rows = [...answer.data.rows];
  let cursor = answer.data.nextCursor;
  while (cursor !== undefined && isWanted()) {
    const page: Awaited<ReturnType<typeof call<'batch.rows'>>> = await call('batch.rows', {
      readId: answer.data.readId,
      cursor,
      limit: MOST_ROWS,
    });
    if (!page.ok) return page;
    rows.push(...page.data.rows);
    cursor = page.data.nextCursor;
  }
  return ok({ reading: answer.data, rows });
}
