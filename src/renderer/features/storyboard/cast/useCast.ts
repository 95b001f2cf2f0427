import { useMemo } from 'react';
import { create } from 'zustand';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { type CastColumn, columnsOf } from '../model/castView.ts';
import type { BoardHandle } from '../useBoard.ts';

const NO_CAST: CastMember[] = [];

export const castOfBoard = (board: BoardHandle): CastMember[] => board.board?.cast ?? NO_CAST;

/** The cast with what each shot was sent, or would be. */
export function useColumns(board: BoardHandle): CastColumn[] {
  const cast = castOfBoard(board);
  return useMemo(() => columnsOf(board.shots, cast), [board.shots, cast]);
}

/** What the Cast tab shows at its right: the chosen shot, or a member of the cast. */
interface CastView {
  memberId: string | undefined;
  /** The member was added just now, and has no name of its own yet. */
  isNew: boolean;
}

export const useCastView = create<CastView>()(() => ({ memberId: undefined, isNew: false }));

export const selectMember = (memberId: string | undefined, isNew = false): void =>
  useCastView.setState({ memberId, isNew });
