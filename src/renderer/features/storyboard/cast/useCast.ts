import { useMemo } from 'react';
import type { CastMember } from '../../../../shared/cast.ts';
import { useKnownMedia } from '../../../media/useMedia.ts';
import { type CastColumn, columnsOf } from '../model/castView.ts';
import type { BoardHandle } from '../useBoard.ts';

const NO_CAST: CastMember[] = [];

export const castOfBoard = (board: BoardHandle): CastMember[] => board.board?.cast ?? NO_CAST;

/** The cast with what each shot was sent, or would be; reads the pictures that are not known yet. */
export function useColumns(board: BoardHandle): CastColumn[] {
  const cast = castOfBoard(board);
  const { assets } = board.media;
  const columns = useMemo(() => columnsOf(board.shots, cast, assets), [board.shots, cast, assets]);
  useKnownMedia(
    useMemo(() => {
      const sent = columns.flatMap(({ cells }) => [...cells.values()].flatMap(({ use }) => use.assetId ?? []));
      const sheets = cast.flatMap((member) => member.sheets.map(({ assetId }) => assetId));
      return [...new Set([...sheets, ...sent])].map((assetId) => ({ assetId }));
    }, [columns, cast]),
  );
  return columns;
}
