import { useState } from 'react';
import { announce, cacheJobs, useKeyHint, useShortcut } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { PriceRow, SpendBar, usePrice } from '../../../spending/index.ts';
import { Field, Kbd, NumberInput, TextAction } from '../../../ui/index.ts';
import { quantityOfShot } from '../model/draft.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import { Finding } from './Finding.tsx';
import { signed } from './SeamGraphs.tsx';
import type { SeamLimits, SeamMeasure } from './seam.ts';
import { type SeamView, useSeamView } from './useSeams.ts';
import { WayPrice } from './WayPrice.tsx';
import { type Way, waysOf } from './ways.ts';

interface SeamSideProps {
  board: BoardHandle;
  view: SeamView;
}

/** What jumps at a joint, the five ways out, and the price of the one that is chosen. */
export function SeamSide({ board, view }: SeamSideProps) {
  const { before, after, seam } = view;
  const [newId] = useState(() => crypto.randomUUID());
  const takes = [before, after].flatMap((shot) => shot.takes.flatMap(({ clip }) => clip?.sha256 ?? []));
  const ways = waysOf(view, useMeasures(takes), newId);
  const [chosen, setChosen] = useState(() =>
    Math.max(
      0,
      ways.findIndex(({ makes }) => makes),
    ),
  );
  const [said, setSaid] = useState<string>();
  const choose = (index: number) => {
    const way = ways[index];
    if (!way) return;
    if (way.off) return announce(way.off);
    if (way.makes) {
      setChosen(index);
      announce(`${way.title}: its price stands at the button`);
      return;
    }
    if (way.edit) board.sync.edit(way.edit);
    setSaid(way.done);
    announce(way.done ?? '');
  };
  useWayKeys(choose);
  const way = ways[chosen];
  return (
    <aside className="panel insp" aria-label="Joint" data-panel tabIndex={-1}>
      <div className="bar">
        <h2>
          Joint {before.number} to {after.number}
        </h2>
        {after.joint?.isStale ? (
          <span className="stale-tag">{after.joint.joint}, stale</span>
        ) : (
          <span className="t3">{after.joint?.joint ?? 'cut'}</span>
        )}
      </div>
      <div className="scroll">
        <Findings seam={seam} verdict={view.verdict} />
        <div className="sec">
          <h3>What to do about it</h3>
          <Ways ways={ways} chosen={chosen} onChoose={choose} />
          {said && <p className="t2 way-done">{said}</p>}
        </div>
      </div>
      {way?.makes && <WaySend board={board} way={way} makes={way.makes} />}
    </aside>
  );
}

function useWayKeys(choose: (index: number) => void): void {
  useShortcut('seams.way1', () => choose(0));
  useShortcut('seams.way2', () => choose(1));
  useShortcut('seams.way3', () => choose(2));
  useShortcut('seams.way4', () => choose(3));
  useShortcut('seams.way5', () => choose(4));
}

const UNITS = {
  frames: (value: number) => value.toFixed(2),
  colour: (value: number) => `ΔE ${value.toFixed(1)}`,
  sound: (value: number) => signed(value, 'LU'),
} as const;
const NAMES = { frames: 'Frames', colour: 'Colour', sound: 'Sound' } as const;
const ALL = ['frames', 'colour', 'sound'] as const;

function Findings({ seam, verdict }: Pick<SeamView, 'seam' | 'verdict'>) {
  const { limits } = useSeamView();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="sec">
      <h3>{verdict === 'jumps' ? 'What jumps' : `It is ${verdict === 'meets' ? 'smooth' : verdict}`}</h3>
      <table className="mini fnd">
        <tbody>
          {ALL.map((name) => (
            <Row key={name} name={name} of={seam[name]} />
          ))}
        </tbody>
      </table>
      <div className="row between">
        <span className="t3">Limits, above the motion around</span>
        <TextAction aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Change
        </TextAction>
      </div>
      {isOpen && (
        <div className="row limits">
          {ALL.map((name) => (
            <Field key={name} label={NAMES[name]}>
              <NumberInput
                value={limits[name]}
                min={0}
                max={name === 'frames' ? 1 : 100}
                step={name === 'frames' ? 0.01 : 0.5}
                onValue={(value) => value !== undefined && value !== null && setLimit(name, value)}
              />
            </Field>
          ))}
        </div>
      )}
    </div>
  );
}

const setLimit = (name: keyof SeamLimits, value: number): void =>
  useSeamView.setState(({ limits }) => ({ limits: { ...limits, [name]: value } }));

function Row({ name, of }: { name: (typeof ALL)[number]; of: SeamMeasure }) {
  const isMeasured = of.finding !== 'none';
  return (
    <tr>
      <th scope="row">{NAMES[name]}</th>
      <td className="r">
        <Finding of={of} text={isMeasured ? UNITS[name](of.value) : 'not measured'} strong />
      </td>
      <td className="r t3">{isMeasured ? `jumps above ${of.above.toFixed(name === 'frames' ? 2 : 1)}` : of.why}</td>
    </tr>
  );
}

function Ways({ ways, chosen, onChoose }: { ways: readonly Way[]; chosen: number; onChoose: (index: number) => void }) {
  const keys = [
    useKeyHint('seams.way1'),
    useKeyHint('seams.way2'),
    useKeyHint('seams.way3'),
    useKeyHint('seams.way4'),
    useKeyHint('seams.way5'),
  ];
  return (
    <div className="ways">
      {ways.map((way, index) => (
        <button
          type="button"
          key={keys[index]}
          className={`way ${way.off ? 'off' : ''} ${index === chosen && way.makes ? 'on' : ''}`}
          aria-disabled={way.off !== undefined}
          aria-pressed={way.makes ? index === chosen : undefined}
          onClick={() => onChoose(index)}
        >
          <span className="row">
            <b>{way.title}</b>
            <span className="grow" />
            {way.makes ? <WayPrice shot={way.makes.shot} /> : !way.off && <span className="t3">free</span>}
            <Kbd>{keys[index]}</Kbd>
          </span>
          <span className="t2">{way.off ? `Off: ${way.off}` : way.text}</span>
        </button>
      ))}
    </div>
  );
}

/** The price of the way that is chosen, and the button that makes it. Nothing that is there is replaced. */
function WaySend({
  board,
  way,
  makes: { shot, edit },
}: {
  board: BoardHandle;
  way: Way;
  makes: NonNullable<Way['makes']>;
}) {
  const now = usePrice(quantityOfShot(shot));
  const onSend = async () => {
    board.sync.edit(edit);
    const answer = await board.sync.makeTake(shot.id, now.shown);
    if (!answer.ok) return answer.error;
    cacheJobs([answer.data]);
    announce(`${way.title} is in the queue`);
    return undefined;
  };
  return (
    <SpendBar label={way.title} off={now.off} onSend={onSend}>
      <PriceRow what={`1 take, ${plannedSeconds(shot)} s. Nothing is replaced`} now={now} kind="video" />
    </SpendBar>
  );
}
