import { t } from '../../../shared/texts.ts';
import './compare.css';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { isFocusFree, useEntities, useKeyHint, useShortcut, useWholeJob } from '../../app/index.ts';
import { AssetImage, Button, differingWords, Kbd, Segmented, Slider, WhyOff } from '../../ui/index.ts';
import { Medium } from '../Medium.tsx';
import { shapeOf, Wipe } from '../Wipe.tsx';
import {
  COMPARE_MODES,
  type CompareMode,
  fitCompared,
  letterOf,
  panBy,
  setCompareView,
  useCompareView,
  zoomBy,
} from './compareView.ts';
import { differingRows, PROMPT } from './differing.ts';
import { PlayTogether } from './PlayTogether.tsx';

const MODE_WORDS: Record<CompareMode, string> = {
  slider: t`Slider`,
  side: t`Side by side`,
  difference: t`Difference`,
  onion: t`Onion`,
};
const GAINS = ['1', '4', '16'];

interface CompareProps {
  pictures: readonly Asset[];
  onLeave: () => void;
  /** At the end of the bar. */
  end?: ReactNode;
}

/** Two to four pictures beside each other, or two in one place. */
export function Compare({ pictures, onLeave, end }: CompareProps) {
  const stage = useRef<HTMLElement>(null);
  const asked = useCompareView((view) => view.mode);
  const isPair = pictures.length === 2;
  const mode = isPair ? asked : 'side';
  const { zoom, pan } = useCompareView();
  useShortcut('page.leave', onLeave);
  useEffect(() => {
    if (isFocusFree()) stage.current?.focus();
  }, []);
  const shift = { '--zoom': zoom, '--pan-x': `${pan.x * 100}%`, '--pan-y': `${pan.y * 100}%` } as CSSProperties;
  return (
    <>
      <CompareBar
        mode={mode}
        isPair={isPair}
        onLeave={onLeave}
        end={
          <>
            {pictures.some(({ mime }) => mime.startsWith('video/')) && <PlayTogether key={mode} stage={stage} />}
            {end}
          </>
        }
      />
      <section
        ref={stage}
        className={`cmp-stage ${mode} ${zoom > 1 ? 'zoomed' : ''}`}
        aria-label={t`Compared pictures`}
        aria-keyshortcuts="+ - 0 ArrowLeft ArrowRight ArrowUp ArrowDown"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the pictures, + and - zoom them.
        tabIndex={0}
        style={shift}
        onKeyDown={zoomKey}
        onWheel={({ deltaY }) => zoomBy(deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP)}
        onPointerMove={drag}
      >
        <Stage mode={mode} pictures={pictures} />
      </section>
    </>
  );
}

const ZOOM_STEP = 1.25;
const PAN_STEP = 0.1;

const KEYS: Partial<Record<string, () => void>> = {
  '+': () => zoomBy(ZOOM_STEP),
  '=': () => zoomBy(ZOOM_STEP),
  '-': () => zoomBy(1 / ZOOM_STEP),
  '0': fitCompared,
  ArrowLeft: () => panBy(PAN_STEP, 0),
  ArrowRight: () => panBy(-PAN_STEP, 0),
  ArrowUp: () => panBy(0, PAN_STEP),
  ArrowDown: () => panBy(0, -PAN_STEP),
};

/** A line between two pictures keeps its own arrows. */
function zoomKey(event: KeyboardEvent): void {
  const act = KEYS[event.key];
  if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}

/** A picture under the pointer is moved with it, and all the others by the same share. */
function drag(event: PointerEvent<HTMLElement>): void {
  const picture = (event.target as HTMLElement).closest('.pic');
  if (!picture || picture.classList.contains('compare') || (event.buttons & 1) === 0) return;
  const { width, height } = picture.getBoundingClientRect();
  panBy(event.movementX / width, event.movementY / height);
}

interface BarProps extends Omit<CompareProps, 'pictures'> {
  mode: CompareMode;
  isPair: boolean;
}

function CompareBar({ mode, isPair, onLeave, end }: BarProps) {
  const { gain, over } = useCompareView();
  return (
    <div className="bar cmp-bar">
      <Modes mode={mode} isPair={isPair} />
      {mode === 'difference' && (
        <>
          <span className="t2">{t`Gain`}</span>
          <Segmented
            small
            aria-label={t`Gain of the difference`}
            value={String(gain)}
            onValue={(next) => setCompareView({ gain: Number(next) })}
            options={GAINS.map((value) => ({ value, label: `× ${value}` }))}
          />
        </>
      )}
      {mode === 'onion' && (
        <span className="row sl-wrap">
          <Slider
            aria-label={t`B over A`}
            min={0}
            max={100}
            value={over}
            onValue={(next) => setCompareView({ over: next })}
          />
          <span className="t2 nw">{over} %</span>
        </span>
      )}
      {!isPair && <WhyOff>{t`Only two go into one place.`}</WhyOff>}
      <span className="grow" />
      <Zoom />
      <SwapAndLeave onLeave={onLeave} />
      {end}
    </div>
  );
}

function Modes({ mode, isPair }: { mode: CompareMode; isPair: boolean }) {
  const pick = (next: CompareMode) => setCompareView({ mode: next });
  useShortcut('compare.slider', () => pick('slider'), isPair);
  useShortcut('compare.side', () => pick('side'));
  useShortcut('compare.difference', () => pick('difference'), isPair);
  useShortcut('compare.onion', () => pick('onion'), isPair);
  const hints: Record<CompareMode, string> = {
    slider: useKeyHint('compare.slider'),
    side: useKeyHint('compare.side'),
    difference: useKeyHint('compare.difference'),
    onion: useKeyHint('compare.onion'),
  };
  const options = COMPARE_MODES.map((value) => {
    const isOff = !isPair && value !== 'side';
    return {
      value,
      name: MODE_WORDS[value],
      off: isOff,
      label: (
        <>
          {MODE_WORDS[value]} {!isOff && <Kbd>{hints[value]}</Kbd>}
        </>
      ),
    };
  });
  return <Segmented small aria-label={t`How they are compared`} options={options} value={mode} onValue={pick} />;
}

function Zoom() {
  const zoom = useCompareView((view) => view.zoom);
  return (
    <span className="row cmp-zoom">
      <Button
        variant="ghost"
        aria-label={t`Zoom out`}
        off={zoom > 1 ? undefined : t`The whole picture is seen.`}
        onClick={() => zoomBy(1 / ZOOM_STEP)}
      >
        −
      </Button>
      <Button variant="ghost" aria-label={t`Fit, now ${Math.round(zoom * 100)} %`} onClick={fitCompared}>
        {Math.round(zoom * 100)} %
      </Button>
      <Button variant="ghost" aria-label={t`Zoom in`} onClick={() => zoomBy(ZOOM_STEP)}>
        +
      </Button>
    </span>
  );
}

function SwapAndLeave({ onLeave }: { onLeave: () => void }) {
  const swap = () => setCompareView(({ isSwapped }) => ({ isSwapped: !isSwapped }));
  const hint = useShortcut('compare.swap', swap);
  return (
    <>
      <Button variant="ghost" kbd={hint} onClick={swap}>
        {t`Swap`}
      </Button>
      <Button variant="ghost" kbd={useKeyHint('page.leave')} onClick={onLeave}>
        {t`Leave`}
      </Button>
    </>
  );
}

function Stage({ mode, pictures }: { mode: CompareMode; pictures: readonly Asset[] }) {
  const { gain, over } = useCompareView();
  const [first, second] = pictures;
  if (mode === 'side' || !first || !second) {
    return pictures.map((asset, index) => (
      <div key={asset.id} className="cmp-cell">
        <div className="pic" style={shapeOf(asset)}>
          <Medium asset={asset} alt={`${letterOf(index)}: ${asset.name}`} />
          <span className="ov tl">{letterOf(index)}</span>
        </div>
      </div>
    ));
  }
  if (mode === 'slider') {
    return (
      <div className="cmp-cell">
        <Wipe left={first} right={second} names={{ left: 'A', right: 'B' }} label={t`A left, B right`} />
      </div>
    );
  }
  const isOnion = mode === 'onion';
  return (
    <div className="cmp-cell">
      <div className="pic" style={shapeOf(first)}>
        <div className="cmp-over" style={isOnion ? {} : { filter: `grayscale(1) brightness(${gain})` }}>
          <Medium asset={first} alt={isOnion ? t`A under B` : t`Difference of A and B`} />
          <Medium asset={second} alt="" style={isOnion ? { opacity: over / 100 } : { mixBlendMode: 'difference' }} />
        </div>
        <span className="ov tl">{isOnion ? 'A' : `A − B, × ${gain}`}</span>
        <span className="ov tr">{isOnion ? t`B over it, ${over} %` : t`black is equal`}</span>
      </div>
    </div>
  );
}

/** In what they differ: their settings and facts, and nothing that is the same. */
export function Differences({ pictures }: { pictures: readonly Asset[] }) {
  return (
    <>
      <div className="bar">
        <h2>{t`${letterOf(0)} to ${letterOf(pictures.length - 1)}`}</h2>
        <span className="grow" />
        <span className="t3">{t`what differs`}</span>
      </div>
      <div className="scroll">
        {pictures.map((asset) => (
          <Known key={asset.id} jobId={asset.jobId} />
        ))}
        <DifferingTable pictures={pictures} />
      </div>
    </>
  );
}

/** Has the job read that made a picture; shows nothing. */
function Known({ jobId }: { jobId: string | undefined }) {
  useWholeJob(jobId);
  return null;
}

/** The words of one, with marks on those that the first has not; of two, also on those of the first that the second has not. */
function Words({ of, at }: { of: readonly (string | undefined)[]; at: number }) {
  const text = of[at];
  const other = at > 0 ? of[0] : of.length === 2 ? of[1] : undefined;
  const parts = text !== undefined && other !== undefined ? differingWords(other, text) : undefined;
  if (!parts) return <span>{text ?? '–'}</span>;
  return parts.flatMap((part, index) => {
    if (part.is === 'removed') return [];
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
    return part.is === 'added' ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>;
  });
}

function DifferingTable({ pictures }: { pictures: readonly Asset[] }) {
  const jobs = useEntities((state) => state.jobs);
  const rows = differingRows(
    pictures.map((asset) => ({ asset, job: asset.jobId === undefined ? undefined : jobs.get(asset.jobId) })),
  );
  return (
    <table className="cmp-table" aria-label={t`What differs`}>
      <thead>
        <tr>
          <td />
          {pictures.map((asset, index) => (
            <th key={asset.id} scope="col" title={asset.name}>
              <AssetImage asset={asset} className="cmp-thumb" />
              {letterOf(index)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={pictures[index]?.id}>{name === PROMPT ? <Words of={values} at={index} /> : (value ?? '–')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
