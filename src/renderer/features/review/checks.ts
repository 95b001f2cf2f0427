import { useMemo, useRef } from 'react';
import type { TriageTake } from '../../../shared/triage/calls.ts';
import { triageLimitsOf } from '../../../shared/triage/limits.ts';
import { givenOf, isClip, takeOf } from '../../../shared/triage/take.ts';
import { useMeasures } from '../../media/useMeasures.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import type { ReviewItem } from './items.ts';

export type Checked = TriageTake;

/** What the quality checks found in each clip, by its key. What was never measured is measured from then on. */
export function useChecks(items: readonly ReviewItem[], board: BoardHandle | undefined): ReadonlyMap<string, Checked> {
  const clips = items.flatMap(({ key, job, asset, output }) =>
    job && asset && isClip({ job, asset, output }) ? [{ key, job, asset, output }] : [],
  );
  const files = useMeasures(
    clips.flatMap(({ job, asset }) => (asset.state === 'local' ? [asset.sha256, givenOf(job)?.sha256 ?? ''] : [])),
  );
  const { projectId, triageLimits } = board?.board ?? {};
  const key = clips.map(({ key: own, asset }) => `${own} ${asset.sha256} ${asset.state}`).join();
  const latest = useRef(clips);
  latest.current = clips;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` tells whether other clips are checked.
  return useMemo(() => {
    const known = Object.fromEntries(files);
    return new Map(
      latest.current.map(({ key: own, ...clip }) => {
        const limits = triageLimitsOf(clip.job.projectId === projectId ? triageLimits : undefined);
        return [own, takeOf(clip, known, limits)];
      }),
    );
  }, [key, files, projectId, triageLimits]);
}

export const STATES = ['broken', 'look', 'clean'] as const;
export type CheckState = (typeof STATES)[number];

export const itemsIn = (
  items: readonly ReviewItem[],
  checks: ReadonlyMap<string, Checked>,
  state: CheckState,
): ReviewItem[] => items.filter(({ key }) => checks.get(key)?.state === state);

/** The next finding: of the same take, then of the next one that has any; round to the first. */
export function nextFinding(
  items: readonly ReviewItem[],
  checks: ReadonlyMap<string, Checked>,
  here: { key: string; finding: number },
): { key: string; finding: number } | undefined {
  const countOf = (key: string) => checks.get(key)?.findings.length ?? 0;
  if (here.finding + 1 < countOf(here.key)) return { key: here.key, finding: here.finding + 1 };
  const at = items.findIndex(({ key }) => key === here.key);
  const next = [...items.slice(at + 1), ...items.slice(0, at + 1)].find(({ key }) => countOf(key) > 0);
  return next && { key: next.key, finding: 0 };
}
