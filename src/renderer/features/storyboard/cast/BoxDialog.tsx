import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { CastBox, CastMember } from '../../../../shared/board/cast.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { mediaUrl } from '../../../client/index.ts';
import { Button, Dialog, Segmented, Slider } from '../../../ui/index.ts';
import { placeBox } from '../model/castEdits.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './box.module.css';
import { boxIn } from './drift.tsx';

/** A box in a frame, in shares of its width and height: never too small to measure, never outside. */
export type BoxShape = Pick<CastBox, 'x' | 'y' | 'width' | 'height'>;

/** A grid has 32 cells per side; fewer than two give no outline. */
export const LEAST_SIDE = 0.07;

export const MIDDLE: BoxShape = { x: 0.25, y: 0.2, width: 0.5, height: 0.6 };

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The nearest valid box. */
export function fitted({ x, y, width, height }: BoxShape): BoxShape {
  const [w, h] = [within(width, LEAST_SIDE, 1), within(height, LEAST_SIDE, 1)];
  return { x: within(x, 0, 1 - w), y: within(y, 0, 1 - h), width: w, height: h };
}

interface Point {
  x: number;
  y: number;
}

/** The box with these two corners. */
export const boxBetween = (one: Point, other: Point): BoxShape =>
  fitted({
    x: within(Math.min(one.x, other.x), 0, 1),
    y: within(Math.min(one.y, other.y), 0, 1),
    width: Math.abs(within(other.x, 0, 1) - within(one.x, 0, 1)),
    height: Math.abs(within(other.y, 0, 1) - within(one.y, 0, 1)),
  });

interface BoxDialogProps {
  board: BoardHandle;
  view: ShotView;
  member: CastMember;
  /** The clip of the selected take. */
  clip: Asset;
  onClose: () => void;
}

type Frame = CastBox['frame'];

/** Marks where a cast member is in the selected take: drawn with the mouse, or set by keyboard. */
export function BoxDialog({ board, view, member, clip, onClose }: BoxDialogProps) {
  const placed = boxIn(view, member.id);
  const [frame, setFrame] = useState<Frame>(placed?.frame ?? 'first');
  const [shape, setShape] = useState<BoxShape>(placed ?? MIDDLE);
  const name = member.name.trim();
  const place = (box: CastBox | undefined) => {
    board.sync.edit(placeBox(view.shot.id, member.id, box));
    onClose();
  };
  const { x, y, width, height } = shape;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Where ${name} is in take ${view.active?.number}`}
      width={620}
      footer={
        <>
          {placed && (
            <Button variant="ghost" onClick={() => place(undefined)}>
              {t`Whole frame`}
            </Button>
          )}
          <span className="grow" />
          <Button variant="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" onClick={() => place({ sha256: clip.sha256, frame, x, y, width, height })}>
            {t`Save box`}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Segmented
          full
          aria-label={t`Frame`}
          value={frame}
          onValue={setFrame}
          options={[
            { value: 'first', label: t`First frame` },
            { value: 'last', label: t`Last frame` },
          ]}
        />
        <BoxPicture clip={clip} frame={frame} shape={shape} onShape={setShape} />
        <BoxSides shape={shape} onShape={setShape} />
      </div>
    </Dialog>
  );
}

interface BoxPictureProps {
  clip: Asset;
  frame: Frame;
  shape: BoxShape;
  onShape: (shape: BoxShape) => void;
}

function BoxPicture({ clip, frame, shape, onShape }: BoxPictureProps) {
  const video = useRef<HTMLVideoElement>(null);
  const from = useRef<{ x: number; y: number }>(undefined);
  useEffect(() => {
    const shown = video.current;
    if (!shown) return;
    const seek = () => {
      // Less than a frame before the end, where some decoders show nothing.
      shown.currentTime = frame === 'first' ? 0 : Math.max(0, shown.duration - 0.02);
    };
    if (shown.readyState > 0) seek();
    shown.addEventListener('loadedmetadata', seek);
    return () => shown.removeEventListener('loadedmetadata', seek);
  }, [frame]);
  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
  };
  const start = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = pointOf(event);
  };
  const draw = (event: PointerEvent<HTMLElement>) => {
    if (from.current) onShape(boxBetween(from.current, pointOf(event)));
  };
  const end = () => {
    from.current = undefined;
  };
  const percent = (value: number) => `${value * 100}%`;
  const place = {
    left: percent(shape.x),
    top: percent(shape.y),
    width: percent(shape.width),
    height: percent(shape.height),
  };
  return (
    <div
      className={`media ${styles.boxView}`}
      style={{ '--ratio': (clip.width || 16) / (clip.height || 9) } as CSSProperties}
      onPointerDown={start}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <video
        ref={video}
        className="fill"
        src={mediaUrl(clip.id)}
        preload="auto"
        playsInline
        muted
        aria-label={frame === 'first' ? t`First frame` : t`Last frame`}
      />
      <i style={place} aria-hidden="true" />
    </div>
  );
}

const SIDES = [
  { side: 'x', label: t`Left`, least: 0 },
  { side: 'y', label: t`Top`, least: 0 },
  { side: 'width', label: t`Width`, least: LEAST_SIDE },
  { side: 'height', label: t`Height`, least: LEAST_SIDE },
] as const;

/** The box in percent of the frame. */
function BoxSides({ shape, onShape }: Pick<BoxPictureProps, 'shape' | 'onShape'>) {
  return (
    <div className={styles.boxSides}>
      {SIDES.map(({ side, label, least }) => (
        <div key={side}>
          <span className="row between">
            <span className="lab">{label}</span>
            <span className="t3 num">{Math.round(shape[side] * 100)} %</span>
          </span>
          <Slider
            aria-label={label}
            min={Math.round(least * 100)}
            max={100}
            value={Math.round(shape[side] * 100)}
            onValue={(value) => onShape(fitted({ ...shape, [side]: value / 100 }))}
          />
        </div>
      ))}
    </div>
  );
}
