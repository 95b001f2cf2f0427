import { FileInput, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { shareSlots } from '../../../../shared/board/assignReferences.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import { isSame } from '../../../../shared/board/boardChanges.ts';
import { pictureOf } from '../../../../shared/film/film.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { t } from '../../../../shared/text/texts.ts';
import { placeHandlers } from '../../../media/givenFiles.ts';
import { AssetImage, Icon, IconButton } from '../../../ui/index.ts';
import { castOfBoard } from '../cast/useCast.ts';
import { linkedShot } from '../model/draft.ts';
import { hasRoomFor, MOST_REFERENCES, patchShot, setReference, startedByHand } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import type { ViewProps } from '../tabProps.ts';
import { type BoardHandle, shotNow } from '../useBoard.ts';
import { useSlotUpload } from '../useSlotUpload.ts';
import styles from './inspector.module.css';
import { MediaPicker } from './MediaPicker.tsx';

const PLACES = {
  image: { label: t`First frame`, medium: 'image' },
  lastFrame: { label: t`Last frame`, medium: 'image' },
  video: { label: t`Clip to extend`, medium: 'video' },
} as const;

/** The pictures or the clip that a shot starts from, apart from what its link sets. */
export function Slots({ board, view, isLinked }: { board: BoardHandle; view: ShotView; isLinked: boolean }) {
  const shot = linkedShot(board, view);
  if (shot.source === 'references') return <References board={board} view={view} />;
  const first = isLinked ? [] : (['image'] as const);
  const fields = { text: [], first, firstLast: [...first, 'lastFrame' as const], extend: ['video' as const] };
  /** A late upload is ignored if the shot has got something else there meanwhile. */
  const put = (field: keyof typeof PLACES, ref: MediaRef | undefined) => {
    const now = shotNow(board, shot.id);
    if (now && !isSame(now[field], view.shot[field]))
      return t`Another file was chosen meanwhile. This one is in the library.`;
    const patch = { [field]: ref };
    board.sync.edit(patchShot(shot.id, field === 'lastFrame' ? patch : startedByHand(shot, patch)));
    return undefined;
  };
  return (
    <div className={styles.slots}>
      {fields[shot.source].map((field) => (
        <Slot
          key={field}
          {...{ board, view, ...PLACES[field] }}
          place={`${shot.id} ${field}`}
          value={shot[field]}
          onValue={(ref) => put(field, ref)}
        />
      ))}
    </div>
  );
}

function References({ board, view }: ViewProps) {
  const { shot } = view;
  const put = (index: number, ref: MediaRef | undefined) => {
    const now = shotNow(board, shot.id);
    if (!now) return undefined;
    const place = { index, was: shot.referenceImages[index] };
    if (ref && !hasRoomFor(now.referenceImages, place)) return t`No room: three references at most.`;
    board.sync.edit(setReference(now, place, ref));
    return undefined;
  };
  const fromCast = picturesOfCast(board, shot);
  const places: { ref?: MediaRef; cast?: CastPicture }[] = [
    ...shot.referenceImages.map((ref) => ({ ref })),
    ...fromCast.map((cast) => ({ cast })),
    {},
  ];
  return (
    <div className={`${styles.slots} ${styles.three}`}>
      {places.slice(0, MOST_REFERENCES).map(({ ref, cast }, index) => (
        <Slot
          // biome-ignore lint/suspicious/noArrayIndexKey: a reference is its place; the same picture may stand twice.
          key={index}
          board={board}
          view={view}
          place={`${shot.id} reference ${index}`}
          label={t`Reference ${index + 1}`}
          medium="image"
          value={ref}
          cast={cast}
          // Pictures set by hand come before those of the cast.
          onValue={(next) => put(Math.min(index, shot.referenceImages.length), next)}
        />
      ))}
    </div>
  );
}

/** A reference image of the cast in a slot. */
interface CastPicture {
  assetId: string;
  words: string;
}

/** The reference images that the next take is sent, in slot order. */
function picturesOfCast(board: BoardHandle, shot: Shot): CastPicture[] {
  const { shares, pictures } = shareSlots(shot, castOfBoard(board));
  return pictures.map((assetId, index) => {
    const slot = shot.referenceImages.length + index + 1;
    const names = shares.flatMap((share) => (share.slot === slot ? [share.member.name.trim()] : [])).join(', ');
    return { assetId, words: t`${names}, from the cast` };
  });
}

interface SlotProps {
  board: BoardHandle;
  view: ShotView;
  /** A unique name for uploads into this slot. */
  place: string;
  label: string;
  medium: 'image' | 'video';
  value: MediaRef | undefined;
  /** The reference image that goes here while nothing is set by hand. */
  cast?: CastPicture | undefined;
  /** Sets the value; returns why it could not. */
  onValue: (ref: MediaRef | undefined) => string | undefined;
}

/** A slot for a picture or clip: choose, drop, paste or remove it. Dashed if empty. */
export function Slot({ board, view, place, label, medium, value, cast, onValue }: SlotProps) {
  const [isOpen, setOpen] = useState(false);
  const upload = useSlotUpload(place);
  const picture = pictureOf(value ?? cast, board.media);
  const take = (file: File) => upload.bringIn(file, ({ id }) => onValue({ assetId: id }));
  const choose = (ref: MediaRef | undefined) => upload.settle(onValue(ref));
  const handlers = placeHandlers(({ files: [file] }) => {
    if (!file) return;
    setOpen(false);
    void take(file);
  });
  const isFilled = value !== undefined || cast !== undefined;
  const isGone = value !== undefined && medium === 'image' && board.media.lookUp(value).isGone === true;
  const from = value ? wordsOf(value, board, picture?.name) : (cast?.words ?? t`Choose or drop a file`);
  const words = isGone ? t`Missing: ${from}` : from;
  return (
    <div className={styles.slot} {...handlers}>
      <button
        type="button"
        className={`media ${isFilled ? '' : styles.none}`}
        onClick={() => setOpen(true)}
        aria-label={`${label}: ${isFilled ? words : t`Choose`}`}
      >
        <SlotPicture picture={picture} isFilled={isFilled} medium={medium} />
        <span className="ov bl cut">{upload.isBusy ? t`Importing` : label}</span>
      </button>
      {value && (
        <IconButton label={t`Clear ${label}`} className={styles.slotX} onClick={() => choose(undefined)}>
          <Icon of={X} />
        </IconButton>
      )}
      <span className="t3 cut slot-words" title={upload.error ?? words}>
        {upload.error ?? words}
      </span>
      <MediaPicker
        open={isOpen}
        onClose={() => setOpen(false)}
        title={label}
        medium={medium}
        board={board}
        view={view}
        onFile={take}
        onPick={(ref) => {
          choose(ref);
          setOpen(false);
        }}
      />
    </div>
  );
}

interface SlotPictureProps extends Pick<SlotProps, 'medium'> {
  picture: Asset | undefined;
  isFilled: boolean;
}

function SlotPicture({ picture, isFilled, medium }: SlotPictureProps) {
  if (picture) return <AssetImage asset={picture} className="fill" />;
  if (isFilled) return <span className={'t3'}>{t`No take yet`}</span>;
  return <Icon of={medium === 'video' ? FileInput : Plus} />;
}

/** The origin of a reference, in words. */
function wordsOf(ref: MediaRef, board: BoardHandle, name: string | undefined): string {
  if ('uri' in ref) return ref.uri;
  if ('assetId' in ref) return name ?? t`Library`;
  const owner = board.shots.find(({ shot }) => shot.takes.includes(ref.jobId));
  const number = owner?.takes.find(({ jobId }) => jobId === ref.jobId)?.number;
  const from = owner ? t`Shot ${owner.number} · take ${number}` : (name ?? t`Job`);
  return 'frame' in ref ? t`Last frame of ${from}` : from;
}
