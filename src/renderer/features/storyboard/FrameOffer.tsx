import { X } from 'lucide-react';
import type { Shot } from '../../../shared/board.ts';
import { t } from '../../../shared/texts.ts';
import { replaceParams, useAsset, useRoute } from '../../app/index.ts';
import { Button, Icon, IconButton, Thumb } from '../../ui/index.ts';
import styles from './cards.module.css';
import { continuation, hasRoomFor, patchShot, setReference, startedByHand } from './model/shots.ts';
import type { ShotView } from './model/view.ts';
import { type BoardHandle, shotNow } from './useBoard.ts';
import type { BoardActions } from './useBoardActions.ts';

interface FrameOfferProps {
  board: BoardHandle;
  view: ShotView;
  insert: BoardActions['insert'];
}

/** A picture that was sent here from another page (`?frame=ID`): where in the selected shot shall it go? */
export function FrameOffer({ board, view, insert }: FrameOfferProps) {
  const { params } = useRoute();
  const asset = useAsset(params.get('frame') ?? undefined);
  if (!asset) return null;
  const { shot } = view;
  const ref = { assetId: asset.id };
  const use = (patch: Partial<Shot>) => {
    board.sync.edit(
      patchShot(shot.id, startedByHand({ ...shot, ...(patch.image ? { joint: undefined } : {}) }, patch)),
    );
    replaceParams('storyboard', {});
  };
  const place = { index: shot.referenceImages.length, was: undefined };
  const refer = () => {
    const now = shotNow(board, shot.id);
    if (!now || !hasRoomFor(now.referenceImages, place)) return;
    const added = setReference(now, place, ref);
    const started = patchShot(shot.id, startedByHand(now, { source: 'references' }));
    board.sync.edit((shots) => started(added(shots)));
    replaceParams('storyboard', {});
  };
  const begin = () => {
    insert(continuation(crypto.randomUUID(), shot, ref), shot.id);
    replaceParams('storyboard', {});
  };
  return (
    <div className={styles.boardStatus} role="status">
      <Thumb asset={asset} small />
      <span className="cut grow">{t`Use “${asset.name}” in shot ${view.number} as`}</span>
      <Button onClick={() => use({ image: ref, source: shot.source === 'firstLast' ? 'firstLast' : 'first' })}>
        {t`First frame`}
      </Button>
      <Button onClick={() => use({ lastFrame: ref, source: 'firstLast' })}>{t`Last frame`}</Button>
      <Button
        off={hasRoomFor(shot.referenceImages, place) ? undefined : t`The shot has three references already.`}
        onClick={refer}
      >
        {t`Reference`}
      </Button>
      <Button onClick={begin}>{t`New shot`}</Button>
      <IconButton label={t`Not now`} onClick={() => replaceParams('storyboard', {})}>
        <Icon of={X} />
      </IconButton>
    </div>
  );
}
