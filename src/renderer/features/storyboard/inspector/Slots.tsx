import { FileInput, Plus, X } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import type { Shot } from '../../../../shared/board.ts';
import { pictureOf } from '../../../../shared/film.ts';
import type { MediaRef } from '../../../../shared/mediaRef.ts';
import { t } from '../../../../shared/texts.ts';
import { cacheAssets } from '../../../app/index.ts';
import { uploadMedia } from '../../../client/index.ts';
import { AssetImage, Icon, IconButton } from '../../../ui/index.ts';
import { linkedShot } from '../model/draft.ts';
import { patchShot, startedByHand, withoutType } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { MediaPicker } from './MediaPicker.tsx';

/** The pictures or the clip that a shot starts from. */
export function Slots({ board, view }: { board: BoardHandle; view: ShotView }) {
  const shot = linkedShot(board, view);
  const set = (patch: Partial<Shot>) => board.sync.edit(patchShot(shot.id, patch));
  // A start that is put in by hand stays there, whatever plays before it.
  const start = (patch: Partial<Shot>) => set(startedByHand(shot, patch));
  const common = { board, view };
  if (shot.source === 'text') return <p className="t3 slot-note">{t`The words alone. Nothing else is sent.`}</p>;
  if (shot.source === 'extend') {
    return (
      <div className="slots one">
        <Slot
          {...common}
          label={t`Clip to extend`}
          medium="video"
          value={shot.video}
          onValue={(video) => start({ video })}
        />
      </div>
    );
  }
  if (shot.source === 'references') return <References {...common} set={set} />;
  return (
    <div className="slots">
      <Slot
        {...common}
        label={t`First frame`}
        medium="image"
        value={shot.image}
        onValue={(image) => start({ image })}
      />
      {shot.source === 'firstLast' && (
        <Slot
          {...common}
          label={t`Last frame`}
          medium="image"
          value={shot.lastFrame}
          onValue={(lastFrame) => set({ lastFrame })}
        />
      )}
    </div>
  );
}

const MOST_REFERENCES = 3;

function References({ board, view, set }: { board: BoardHandle; view: ShotView; set: (patch: Partial<Shot>) => void }) {
  const { referenceImages } = view.shot;
  const replace = (index: number, ref: MediaRef | undefined) => {
    const next = referenceImages.flatMap((old, at) => (at === index ? (ref ? [ref] : []) : [old]));
    const isAdded = index === referenceImages.length && ref;
    set({
      referenceImages: isAdded ? [...next, ref] : next,
      // The types of those behind it go with their pictures.
      ...(next.length < referenceImages.length && { referenceType: withoutType(view.shot, index) }),
    });
  };
  const shown: (MediaRef | undefined)[] = [...referenceImages, undefined].slice(0, MOST_REFERENCES);
  return (
    <div className="slots three">
      {shown.map((ref, index) => (
        <Slot
          // biome-ignore lint/suspicious/noArrayIndexKey: a reference is its place; the same picture may stand twice.
          key={index}
          board={board}
          view={view}
          label={t`Reference ${index + 1}`}
          plate={t`Ref ${index + 1}`}
          medium="image"
          value={ref}
          onValue={(next) => replace(index, next)}
        />
      ))}
    </div>
  );
}

interface SlotProps {
  board: BoardHandle;
  view: ShotView;
  label: string;
  /** Shorter words for the plate over a narrow slot. */
  plate?: string;
  medium: 'image' | 'video';
  value: MediaRef | undefined;
  onValue: (ref: MediaRef | undefined) => void;
}

/** One place for a picture or clip: choose, drop a file on it, or take it out. Dashed while it is empty. */
export function Slot({ board, view, label, plate, medium, value, onValue }: SlotProps) {
  const [isOpen, setOpen] = useState(false);
  const [upload, setUpload] = useState<{ busy?: boolean; error?: string }>({});
  const picture = pictureOf(value, board.media);
  const take = async (file: File) => {
    setUpload({ busy: true });
    const answer = await uploadMedia(file, file.name, { role: 'source' });
    setUpload(answer.ok ? {} : { error: answer.error.message });
    if (!answer.ok) return;
    cacheAssets([answer.data]);
    onValue({ assetId: answer.data.id });
  };
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    void take(file);
  };
  const isGone = value !== undefined && medium === 'image' && board.media.lookUp(value).isGone === true;
  const from = value ? wordsOf(value, board, picture?.name) : t`Choose or drop`;
  const words = isGone ? t`Gone from this disk: ${from}` : from;
  return (
    <div className="slot">
      <button
        type="button"
        className={`media ${value ? '' : 'none'}`}
        onClick={() => setOpen(true)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        aria-label={`${label}: ${value ? words : t`empty, choose`}`}
      >
        {picture && <AssetImage asset={picture} className="fill" />}
        {value && !picture && <span className="t3 pending">{t`not there yet`}</span>}
        {!value && <Icon of={medium === 'video' ? FileInput : Plus} />}
        <span className="ov bl cut">{upload.busy ? t`Importing` : (plate ?? label)}</span>
      </button>
      {value && (
        <IconButton label={t`Take out ${label.toLowerCase()}`} className="slot-x" onClick={() => onValue(undefined)}>
          <Icon of={X} />
        </IconButton>
      )}
      <span className="t3 cut slot-words" title={words}>
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
          onValue(ref);
          setOpen(false);
        }}
      />
    </div>
  );
}

/** Where a reference comes from, in words. */
function wordsOf(ref: MediaRef, board: BoardHandle, name: string | undefined): string {
  if ('uri' in ref) return ref.uri;
  if ('assetId' in ref) return name ?? t`from the library`;
  const owner = board.shots.find(({ shot }) => shot.takes.includes(ref.jobId));
  const number = owner?.takes.find(({ jobId }) => jobId === ref.jobId)?.number;
  const from = owner ? t`shot ${owner.number}, take ${number}` : (name ?? t`another job`);
  return 'frame' in ref ? t`last frame of ${from}` : from;
}
