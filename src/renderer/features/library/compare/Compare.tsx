import './compare.css';
import { useEffect, useRef } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { isFocusFree, useEntities, useJob, useKeyHint, useShortcut } from '../../../app/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { shapeOf, Wipe } from '../../../media/Wipe.tsx';
import { AssetImage, Button, Kbd, Segmented, Slider, WhyOff } from '../../../ui/index.ts';
import { differingRows } from './differing.ts';
import { COMPARE_MODES, type CompareMode, leaveCompare, setCompare, useCompare } from './useCompare.ts';

const LETTERS = ['A', 'B', 'C', 'D'];
const letterOf = (index: number): string => LETTERS[index] ?? '';
const MODE_WORDS: Record<CompareMode, string> = {
  slider: 'Slider',
  side: 'Side by side',
  difference: 'Difference',
  onion: 'Onion',
};
const GAINS = ['1', '4', '16'];

/** Two to four pictures beside each other, or two in one place. */
export function Compare({ pictures }: { pictures: readonly Asset[] }) {
  const stage = useRef<HTMLElement>(null);
  const asked = useCompare((view) => view.mode);
  const isPair = pictures.length === 2;
  const mode = isPair ? asked : 'side';
  useShortcut('page.leave', leaveCompare);
  useEffect(() => {
    if (isFocusFree()) stage.current?.focus();
  }, []);
  return (
    <>
      <CompareBar mode={mode} isPair={isPair} />
      <section ref={stage} className={`cmp-stage ${mode}`} aria-label="Compared pictures" tabIndex={-1}>
        <Stage mode={mode} pictures={pictures} />
      </section>
    </>
  );
}

function CompareBar({ mode, isPair }: { mode: CompareMode; isPair: boolean }) {
  const { gain, over } = useCompare();
  return (
    <div className="bar cmp-bar">
      <Modes mode={mode} isPair={isPair} />
      {mode === 'difference' && (
        <>
          <span className="t2">Gain</span>
          <Segmented
            small
            aria-label="Gain of the difference"
            value={String(gain)}
            onValue={(next) => setCompare({ gain: Number(next) })}
            options={GAINS.map((value) => ({ value, label: `× ${value}` }))}
          />
        </>
      )}
      {mode === 'onion' && (
        <span className="row sl-wrap">
          <Slider aria-label="B over A" min={0} max={100} value={over} onValue={(next) => setCompare({ over: next })} />
          <span className="t2 nw">{over} %</span>
        </span>
      )}
      {!isPair && <WhyOff>Only two go into one place.</WhyOff>}
      <span className="grow" />
      <SwapAndLeave />
    </div>
  );
}

function Modes({ mode, isPair }: { mode: CompareMode; isPair: boolean }) {
  const pick = (next: CompareMode) => setCompare({ mode: next });
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
  return <Segmented small aria-label="How they are compared" options={options} value={mode} onValue={pick} />;
}

function SwapAndLeave() {
  const swap = () => setCompare(({ isSwapped }) => ({ isSwapped: !isSwapped }));
  useShortcut('compare.swap', swap);
  return (
    <>
      <Button variant="ghost" kbd={useKeyHint('compare.swap')} onClick={swap}>
        Swap
      </Button>
      <Button variant="ghost" kbd={useKeyHint('page.leave')} onClick={leaveCompare}>
        Leave
      </Button>
    </>
  );
}

function Stage({ mode, pictures }: { mode: CompareMode; pictures: readonly Asset[] }) {
  const { gain, over } = useCompare();
  const [first, second] = pictures;
  if (mode === 'side' || !first || !second) {
    return pictures.map((asset, index) => (
      <div key={asset.id} className="cmp-cell">
        <div className="pic" style={shapeOf(asset)}>
          <img src={mediaUrl(asset.id)} alt={`${letterOf(index)}: ${asset.name}`} draggable={false} />
          <span className="ov tl">{letterOf(index)}</span>
        </div>
      </div>
    ));
  }
  if (mode === 'slider') {
    return (
      <div className="cmp-cell">
        <Wipe left={first} right={second} names={{ left: 'A', right: 'B' }} label="A left, B right" />
      </div>
    );
  }
  const isOnion = mode === 'onion';
  return (
    <div className="cmp-cell">
      <div className="pic" style={shapeOf(first)}>
        <div className="cmp-over" style={isOnion ? {} : { filter: `grayscale(1) brightness(${gain})` }}>
          <img src={mediaUrl(first.id)} alt={isOnion ? 'A under B' : 'Difference of A and B'} draggable={false} />
          <img
            src={mediaUrl(second.id)}
            alt=""
            draggable={false}
            style={isOnion ? { opacity: over / 100 } : { mixBlendMode: 'difference' }}
          />
        </div>
        <span className="ov tl">{isOnion ? 'A' : `A − B, × ${gain}`}</span>
        <span className="ov tr">{isOnion ? `B over it, ${over} %` : 'black is equal'}</span>
      </div>
    </div>
  );
}

/** In what they differ: their settings and facts, and nothing that is the same. */
export function Differences({ pictures }: { pictures: readonly Asset[] }) {
  return (
    <>
      <div className="bar">
        <h2>
          {letterOf(0)} to {letterOf(pictures.length - 1)}
        </h2>
        <span className="grow" />
        <span className="t3">what differs</span>
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
  useJob(jobId);
  return null;
}

function DifferingTable({ pictures }: { pictures: readonly Asset[] }) {
  const jobs = useEntities((state) => state.jobs);
  const rows = differingRows(
    pictures.map((asset) => ({ asset, job: asset.jobId === undefined ? undefined : jobs.get(asset.jobId) })),
  );
  return (
    <table className="cmp-table" aria-label="What differs">
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
              <td key={pictures[index]?.id}>{value ?? '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
