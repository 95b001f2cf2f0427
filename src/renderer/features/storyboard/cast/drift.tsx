import { useState } from 'react';
import type { CastBox, CastMember } from '../../../../shared/board/cast.ts';
import type { MeasuredFile } from '../../../../shared/film/measures.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type Drift, driftOf } from '../../../media/measure/drift.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './cast.module.css';
import type { CastColumn } from './useCast.ts';

/** The figures of a cell, or why there are none. */
export type CellDrift = Drift | 'waiting' | 'failed' | 'beyond';

/** Drift by shot and member. */
export type Drifts = ReadonlyMap<string, CellDrift>;

/** Each pair may decode a whole clip: 500 shots with 100 members would take hours. */
export const MOST_MEASURED = 200;

export const driftKey = (shotId: string, memberId: string): string => `${shotId} ${memberId}`;

interface Pair {
  key: string;
  /** Hashes of reference image and take. */
  reference: string;
  take: string;
  box: CastBox | undefined;
}

/** The box of a member in the selected clip, if set. */
export function boxIn({ shot, active }: Pick<ShotView, 'shot' | 'active'>, memberId: string): CastBox | undefined {
  const box = shot.castBoxes?.[memberId];
  return box && box.sha256 === active?.clip?.sha256 ? box : undefined;
}

/** How far the selected takes are from their reference images, or from the first one of a member that was sent only by name. */
export function useDrift(board: BoardHandle, columns: readonly CastColumn[], cast: readonly CastMember[]): Drifts {
  const { assets } = board.media;
  // The figures of two hashes and a box never change.
  const [known] = useState(() => new Map<string, Drift | undefined>());
  const pairs = pairsOf(columns, cast, assets);
  const measured = useMeasures(pairs.slice(0, MOST_MEASURED).flatMap(({ reference, take }) => [reference, take]));
  return new Map(
    pairs.map((pair, index) => [pair.key, index < MOST_MEASURED ? driftFrom(known, measured, pair) : 'beyond']),
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
      const reference = assets.get(cell.use.assetId ?? member.sheets[0]?.assetId ?? '')?.sha256;
      const key = driftKey(view.shot.id, member.id);
      return reference ? [{ key, reference, take: clip.sha256, box: boxIn(view, member.id) }] : [];
    });
  });
}

function driftFrom(
  known: Map<string, Drift | undefined>,
  measured: ReadonlyMap<string, MeasuredFile>,
  { reference, take, box }: Pair,
): CellDrift {
  const [one, other] = [measured.get(reference), measured.get(take)];
  if (one?.state === 'measured' && other?.state === 'measured') {
    const key = `${reference} ${take} ${JSON.stringify(box)}`;
    if (!known.has(key)) known.set(key, driftOf(one.measures, other.measures, box));
    return known.get(key) ?? 'failed';
  }
  const hasEnded = (file: MeasuredFile | undefined) => file?.state === 'failed' || file?.state === 'missing';
  return hasEnded(one) || hasEnded(other) ? 'failed' : 'waiting';
}

export const colourWords = (colour: number): string => colour.toFixed(1);
/** Without the leading zero, since the column is narrow. */
export const shapeWords = (shape: number): string => shape.toFixed(2).replace('0.', '.');

/** The two figures of a cell: colour above shape. The cell's name explains them. */
export function DriftFigures({ drift }: { drift: CellDrift | undefined }) {
  if (drift === undefined) return null;
  if (typeof drift === 'string') {
    return (
      <span className={styles.drift} title={WHY[drift]} aria-hidden="true">
        {drift === 'waiting' ? '…' : '–'}
      </span>
    );
  }
  return (
    <span className={`${styles.drift} num`} aria-hidden="true">
      <b>{colourWords(drift.colour)}</b>
      <span>{shapeWords(drift.shape)}</span>
    </span>
  );
}

export const WHY = {
  waiting: t`Being measured`,
  failed: t`Not measured`,
  beyond: t`Not measured`,
} as const;

/** The figures in words, for the cell's accessible name. */
export function driftWords(drift: CellDrift | undefined): string {
  if (drift === undefined) return '';
  if (typeof drift === 'string') return WHY[drift];
  return t`ΔE ${colourWords(drift.colour)}, shape ${shapeWords(drift.shape)}`;
}
