import { useMemo } from 'react';
import type { CastMember } from '../../../../shared/cast.ts';
import { type CastColumn, columnsOf } from '../model/castView.ts';
import type { BoardHandle } from '../useBoard.ts';

const NO_CAST: CastMember[] = [];

export const castOfBoard = (board: BoardHandle): CastMember[] => board.board?.cast ?? NO_CAST;

/** The cast with what each shot was sent, or would be. */
export function useColumns(board: BoardHandle): CastColumn[] {
  const cast = castOfBoard(board);
  return useMemo(() => columnsOf(board.shots, cast), [board.shots, cast]);
}
