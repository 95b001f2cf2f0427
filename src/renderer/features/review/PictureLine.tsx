import type { KeyboardEvent, PointerEvent } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { ActionChoice, useKeyHint } from '../../app/index.ts';
import { mediaUrl } from '../../client/index.ts';
import { shapeOf, Wipe } from '../../media/Wipe.tsx';
import wipeStyles from '../../media/wipe.module.css';
import { Button, Segmented, Slider, TextAction } from '../../ui/index.ts';
import type { ReviewItem } from './items.ts';
import reviewStyles from './review.module.css';
import type { Review } from './useReview.ts';
import { fitPictures, letterOf, type Mode, panBy, setReviewView, useReviewView, zoomBy } from './view.ts';

const MODES = [
  { value: 'side', label: t`Side by side`, action: 'compare.side' },
  { value: 'slider', label: t`Slider`, action: 'compare.slider' },
  { value: 'onion', label: t`Onion skin`, action: 'compare.onion' },
  { value: 'difference', label: t`Difference`, action: 'compare.difference' },
] as const;
const GAINS = ['1', '4', '8'];

/** Shows pictures side by side, or two in one place; all are zoomed and moved together. */
export function PictureLine({ review }: { review: Review }) {
  const { mode, gain, over, zoom } = useReviewView();
  const isPair = review.sides.length === 2;
  const swapHint = useKeyHint('review.swap');
  return (
    <div className={reviewStyles.line} role="toolbar" aria-label={t`Pictures`}>
      <span className="row">
        <TextAction onClick={fitPictures}>{t`Fit`}</TextAction>
        <span className="t3 num">{Math.round(zoom * 100)} %</span>
      </span>
      <span className={`row ${reviewStyles.mode}`}>
        {isPair && <Modes mode={mode} />}
        {isPair && mode === 'onion' && (
          <>
            <Slider
              aria-label={t`B over A`}
              min={0}
              max={100}
              value={over}
              onValue={(next) => setReviewView({ over: next })}
            />
            <span className="t2 nw num">{`${over} %`}</span>
          </>
        )}
        {isPair && mode === 'difference' && (
          <>
            <Segmented
              small
              aria-label={t`Gain`}
              value={String(gain)}
              onValue={(next) => setReviewView({ gain: Number(next) })}
              options={GAINS.map((value) => ({ value, label: `${value}×` }))}
            />
            <span className="t2 nw">{t`Black: unchanged`}</span>
          </>
        )}
      </span>
      {review.sides.length > 1 && (
        <Button variant="ghost" kbd={swapHint} onClick={review.swap}>
          {t`Swap A and B`}
        </Button>
      )}
    </div>
  );
}

const Modes = ({ mode }: { mode: Mode }) => (
  <ActionChoice
    small
    aria-label={t`Compare`}
    value={mode}
    onValue={(next) => setReviewView({ mode: next })}
    options={MODES}
  />
);

/** Two pictures in one place: a line between them, the second over the first, or their difference. */
export function InOnePlace({ sides, current }: { sides: readonly ReviewItem[]; current: ReviewItem }) {
  const { mode, gain, over } = useReviewView();
  const [first, second] = sides.map(({ asset }) => asset);
  if (!first || !second) return null;
  const isOnion = mode === 'onion';
  return (
    <article className={`${reviewStyles.side} ${reviewStyles.on}`} aria-label={t`Compare`}>
      <div className={`row ${reviewStyles.head}`}>
        {sides.map((item, index) => (
          <span key={item.key} className="row">
            <b className={reviewStyles.letter} aria-current={item === current}>
              {letterOf(index)}
            </b>
            <h2 className="nw">{item.name}</h2>
            {item === current && <span className={`${reviewStyles.rating} nw`}>{t`Rating this one`}</span>}
          </span>
        ))}
      </div>
      <div className={reviewStyles.fit}>
        {mode === 'slider' ? (
          <Wipe left={first} right={second} names={{ left: 'A', right: 'B' }} label={t`Slider`} />
        ) : (
          <div className={`${wipeStyles.pic} ${reviewStyles.zoom}`} style={shapeOf(first)}>
            <div className={reviewStyles.over} style={isOnion ? {} : { filter: `grayscale(1) brightness(${gain})` }}>
              <img src={mediaUrl(first.id)} alt={isOnion ? t`B over A` : t`Difference`} draggable={false} />
              <img
                src={mediaUrl(second.id)}
                alt=""
                style={isOnion ? { opacity: over / 100 } : { mixBlendMode: 'difference' }}
                draggable={false}
              />
            </div>
          </div>
        )}
      </div>
    </article>
  );
}

const ZOOM_STEP = 1.25;
const PAN_STEP = 0.1;

const KEYS: Partial<Record<string, () => void>> = {
  '+': () => zoomBy(ZOOM_STEP),
  '=': () => zoomBy(ZOOM_STEP),
  '-': () => zoomBy(1 / ZOOM_STEP),
  '0': fitPictures,
  ArrowLeft: () => panBy(PAN_STEP, 0),
  ArrowRight: () => panBy(-PAN_STEP, 0),
  ArrowUp: () => panBy(0, PAN_STEP),
  ArrowDown: () => panBy(0, -PAN_STEP),
};

/** The line between two pictures keeps its arrow keys; at zoom 1 arrows go to other takes. */
function zoomKey(event: KeyboardEvent): void {
  const act = KEYS[event.key];
  const isFitted = useReviewView.getState().zoom === 1 && event.key.startsWith('Arrow');
  if (!act || isFitted || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}

/** Moves the dragged picture, and all others by the same share. */
function drag(event: PointerEvent<HTMLElement>): void {
  const picture = (event.target as HTMLElement).closest(`.${reviewStyles.zoom}`);
  if (!picture || (event.buttons & 1) === 0) return;
  const { width, height } = picture.getBoundingClientRect();
  panBy(event.movementX / width, event.movementY / height);
}

/** The event handlers of a stage of pictures. */
export const panningOf = (isOn: boolean) =>
  isOn
    ? {
        tabIndex: 0,
        'aria-keyshortcuts': '+ - 0 ArrowLeft ArrowRight ArrowUp ArrowDown',
        onKeyDown: zoomKey,
        onWheel: ({ deltaY }: { deltaY: number }) => zoomBy(deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP),
        onPointerMove: drag,
      }
    : {};
