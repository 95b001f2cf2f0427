import { create } from 'zustand';
import type { MeasuredFile } from '../../../../shared/film/measures.ts';
import { seamLimitsOf } from '../../../../shared/film/seamLimits.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useSharedParts } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import type { TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type Seam, type SeamSide, seamOf, type Verdict, verdictOf } from './seam.ts';

/** How the two frames of a seam are shown. */
export type SeamMode = 'pair' | 'wipe' | 'difference' | 'flicker';

/** What the page shows of the seams. */
export const useSeamView = create<{ mode: SeamMode }>()(() => ({ mode: 'pair' }));

/** One joint of the film, measured. */
export interface SeamView {
  before: ShotView;
  after: ShotView;
  sides: readonly [SeamSide, SeamSide];
  seam: Seam;
  verdict: Verdict;
}

/** Every joint of what plays in the film. */
export function useSeams({ shots, board }: Pick<BoardHandle, 'shots' | 'board'>): SeamView[] {
  const limits = seamLimitsOf(board);
  const played = shots.filter(({ shot }) => !shot.skipped);
  const files = useMeasures(played.flatMap(({ active }) => active?.clip?.sha256 ?? []));
  const seams = played.slice(1).map((after, index): SeamView => {
    const before = played[index] ?? after;
    const sides = [
      sideOf(before, before.active, { files, at: 'out' }),
      sideOf(after, after.active, { files, at: 'in' }),
    ] as const;
    const seam = seamOf(sides[0], sides[1], limits);
    return { before, after, sides, seam, verdict: verdictOf(seam, after.joint?.joint === 'cut') };
  });
  return useSharedParts(seams);
}

/** What is known of the clip that plays for a shot, or why nothing is. */
export function sideOf(
  { number }: Pick<ShotView, 'number'>,
  take: TakeView | undefined,
  { files, at }: { files: ReadonlyMap<string, MeasuredFile>; at: 'in' | 'out' },
): SeamSide {
  const clip = take?.clip;
  if (!clip) return { why: t`Shot ${number} has no take.` };
  if (clip.state !== 'local') return { why: t`The take of shot ${number} is not on this disk.` };
  // Only a clip's own ends are measured.
  if (take.trim?.[`${at}Ms`] !== undefined) return { why: t`The take of shot ${number} is trimmed here.` };
  const file = files.get(clip.sha256);
  if (file?.state === 'measured') return { measures: file.measures };
  if (file?.state === 'failed') return { why: file.message };
  return { why: file?.state === 'missing' ? t`Not measured` : t`Shot ${number} is being measured.` };
}

/** The joint that begins the chosen shot; for the first shot, the one that ends it. */
export const seamOfShot = (seams: readonly SeamView[], { shot }: Pick<ShotView, 'shot'>): SeamView | undefined =>
  seams.find(({ after }) => after.shot.id === shot.id) ??
  seams.find(({ before }) => before.shot.id === shot.id) ??
  seams[0];
