import { useMemo } from 'react';
import { create } from 'zustand';
import { castUseOf, type Share, shareSlots } from '../../../../shared/board/assignReferences.ts';
import type { CastMember, CastUse } from '../../../../shared/board/cast.ts';
import { castOf } from '../../../../shared/board/castReferences.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

/** A member in a shot: how the selected take was sent; without a take, how the next one would be. */
export interface CastCell {
  use: CastUse;
  /** Whether no take was sent with it yet. */
  isPlanned: boolean;
  /** Whether it was sent with a reference image that the member no longer has. */
  isStale: boolean;
}

export interface CastColumn {
  view: ShotView;
  /** Everything that the next take would be sent with, in slot order. */
  shares: Share[];
  /** Cells by member. */
  cells: Map<string, CastCell>;
}

export function columnsOf(shots: readonly ShotView[], cast: readonly CastMember[]): CastColumn[] {
  const members = new Map(cast.map((member) => [member.id, member]));
  return shots.map((view) => {
    const { shares } = shareSlots(view.shot, cast);
    const cells = new Map<string, CastCell>();
    const stale = view.state.causes.flatMap((cause) =>
      cause.why === 'sheet' && cause.shotId === view.shot.id ? cause.memberId : [],
    );
    for (const use of castOf(view.active?.job) ?? []) {
      const isStale = stale.includes(use.memberId);
      if (members.has(use.memberId)) cells.set(use.memberId, { use, isPlanned: false, isStale });
    }
    for (const share of shares) {
      const use = castUseOf(share, view.shot.source === 'references');
      if (!cells.has(use.memberId)) cells.set(use.memberId, { use, isPlanned: true, isStale: false });
    }
    return { view, shares, cells };
  });
}

/** The shots whose takes were made from takes of these, directly or indirectly, in film order. */
export function followingOf(columns: readonly CastColumn[], stale: readonly CastColumn[]): CastColumn[] {
  const found = new Set(stale);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    const takes = new Set([...found].flatMap(({ view }) => view.shot.takes));
    for (const column of columns)
      if (column.view.active?.job?.inputs?.some(({ jobId }) => jobId !== undefined && takes.has(jobId)))
        found.add(column);
  }
  return columns.filter((column) => found.has(column) && !stale.includes(column));
}

const NO_CAST: CastMember[] = [];

export const castOfBoard = (board: BoardHandle): CastMember[] => board.board?.cast ?? NO_CAST;

/** The cast with what each shot was sent with, or would be. */
export function useColumns(board: BoardHandle): CastColumn[] {
  const cast = castOfBoard(board);
  return useMemo(() => columnsOf(board.shots, cast), [board.shots, cast]);
}

/** The side panel of the Cast tab: the selected shot, or a member. */
interface CastView {
  memberId: string | undefined;
  /** Whether the member was just added and has no name yet. */
  isNew: boolean;
}

export const useCastView = create<CastView>()(() => ({ memberId: undefined, isNew: false }));

export const selectMember = (memberId: string | undefined, isNew = false): void =>
  useCastView.setState({ memberId, isNew });
