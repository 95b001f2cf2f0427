import { shareSlots } from '../../../../shared/board/assignReferences.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import { t } from '../../../../shared/text/texts.ts';
import { Button } from '../../../ui/index.ts';
import { patchShot } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import { castOfBoard } from './useCast.ts';

interface ShotProps {
  board: BoardHandle;
  shot: Shot;
}

/** Members mentioned in a shot whose reference image is not sent, and how to send it. */
export function UnsentPictures({ board, shot }: ShotProps) {
  if (shot.source === 'references') return null;
  const unsent = shareSlots(shot, castOfBoard(board)).shares.filter(({ member }) => member.sheets.length > 0);
  if (unsent.length === 0) return null;
  const names = unsent.map(({ member }) => `@${member.name.trim()}`).join(', ');
  return (
    <div className="row wrap between">
      <p className="t2">{t`No picture of ${names} is sent.`}</p>
      <FromReferences board={board} shot={shot} />
    </div>
  );
}

export function FromReferences({ board, shot }: ShotProps) {
  // The link to the shot before would set the first frame again.
  const toReferences = () =>
    board.sync.edit(patchShot(shot.id, { source: 'references', ...(shot.joint ? { joint: 'cut' } : {}) }));
  return <Button onClick={toReferences}>{t`Start from references`}</Button>;
}
