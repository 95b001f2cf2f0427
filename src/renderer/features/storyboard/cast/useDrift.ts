import { useMemo } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import type { CastMember } from '../../../../shared/cast.ts';
import type { MeasuredFile, MediaMeasures } from '../../../../shared/measures.ts';
import { type Drift, driftOf } from '../../../media/measure/drift.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import type { CastColumn } from '../model/castView.ts';
import type { BoardHandle } from '../useBoard.ts';

/** Of a cell: the figures, or why there are none (yet). */
export type CellDrift = Drift | 'waiting' | 'failed' | 'beyond';

/** By shot and member. */
export type Drifts = ReadonlyMap<string, CellDrift>;

/** Each pair may have a clip to be decoded whole; a film of 500 shots with 100 members would keep the machine busy for hours. */
export const MOST_MEASURED = 200;

export const driftKey = (shotId: string, memberId: string): string => `${shotId} ${memberId}`;

interface Pair {
  key: string;
  /** Content hashes. */
  sheet: string;
  take: string;
}

/** How far the takes that play are from the sheets they were made with, or from the first sheet of who was sent in words. */
export function useDrift(board: BoardHandle, columns: readonly CastColumn[], cast: readonly CastMember[]): Drifts {
  const { assets } = board.media;
  const pairs = useMemo(() => pairsOf(columns, cast, assets), [columns, cast, assets]);
  const measured = useMeasures(
    useMemo(() => pairs.slice(0, MOST_MEASURED).flatMap(({ sheet, take }) => [sheet, take]), [pairs]),
  );
  return useMemo(
    () =>
      new Map(
        pairs.map(({ key, sheet, take }, index): [string, CellDrift] => [
          key,
          index < MOST_MEASURED ? driftFrom(measured, sheet, take) : 'beyond',
        ]),
      ),
    [pairs, measured],
  );
}

function pairsOf(
  columns: readonly CastColumn[],
  cast: readonly CastMember[],
  assets: ReadonlyMap<string, Asset>,
): Pair[] {
  return columns.flatMap(({ view, cells }) => {
    const clip = view.active?.clip;
    if (clip?.state !== 'local') return [];
    return cast.flatMap((member) => {
      const cell = cells.get(member.id);
      if (!cell || cell.isPlanned) return [];
      const sheet = assets.get(cell.use.assetId ?? member.sheets[0]?.assetId ?? '')?.sha256;
      return sheet ? [{ key: driftKey(view.shot.id, member.id), sheet, take: clip.sha256 }] : [];
    });
  });
}

/** Figures of two hashes never change. */
const drifts = new Map<string, Drift | undefined>();

function driftFrom(measured: ReadonlyMap<string, MeasuredFile>, sheet: string, take: string): CellDrift {
  const [one, other] = [measured.get(sheet), measured.get(take)];
  if (one?.state === 'measured' && other?.state === 'measured')
    return rememberedDrift(`${sheet} ${take}`, one.measures, other.measures) ?? 'failed';
  const hasEnded = (file: MeasuredFile | undefined) => file?.state === 'failed' || file?.state === 'missing';
  return hasEnded(one) || hasEnded(other) ? 'failed' : 'waiting';
}

function rememberedDrift(key: string, sheet: MediaMeasures, take: MediaMeasures): Drift | undefined {
  if (!drifts.has(key)) drifts.set(key, driftOf(sheet, take));
  return drifts.get(key);
}
