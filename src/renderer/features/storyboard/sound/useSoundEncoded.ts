import { useEffect, useState } from 'react';
import { useCall, useEvent } from '../../../app/index.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

/** Whether the sound of the film cannot leave as it came, whatever the board wishes for. */
export function useSoundEncoded(board: BoardHandle['board'], shots: readonly ShotView[]): boolean {
  const clips = playedShots(shots).map(({ shot, active }) => `${shot.id} ${active?.clip?.id} ${active?.clip?.state}`);
  const key = JSON.stringify([clips, board?.format, board?.words?.isBurntIn]);
  const { data, reload } = useCall('film.preflight', board ? { projectId: board.projectId } : null);
  const [read, setRead] = useState(key);
  // The studio judges the board that is saved.
  useEvent('board.changed', () => {
    if (read === key) return;
    setRead(key);
    reload();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other clips are to be judged, also where the board did not change.
  useEffect(() => reload(), [key, reload]);
  return data !== undefined && (!data.joinsPictures || data.soundEncoded.length > 0);
}
