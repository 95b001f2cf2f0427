import { RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { MAX_CHAIN } from '../../../../shared/board.ts';
import { Button, Icon, PriceWords } from '../../../ui/index.ts';
import { LeftAfterShort } from '../inspector/SendBar.tsx';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type BrokenChain, brokenChain, brokenText, numbersOf, shotsText, staleText } from './chains.ts';
import { SendButton } from './SendButton.tsx';
import { keepAsTheyAre, useChain } from './useChain.ts';

/** Under the cards: what no longer fits together, what it costs to make it fit, and the way to leave it. */
export function Ripple({ board }: { board: BoardHandle }) {
  const { shots } = board;
  const broken = useMemo(() => brokenChain(shots), [shots]);
  const stale = useMemo(() => shots.filter(({ state, isBeingRedone }) => state.isStale && !isBeingRedone), [shots]);
  const redone = shots.filter(({ isBeingRedone }) => isBeingRedone);
  if (broken) return <Broken board={board} broken={broken} />;
  if (stale.length > 0) return <Stale board={board} stale={stale} />;
  if (redone.length === 0) return null;
  return (
    <div className="board-status" role="status">
      <StaleCount count={redone.length} />
      <span className="cut">
        {`A new take of ${shotsText(redone)} is being made. What plays there goes on until it is there.`}
      </span>
    </div>
  );
}

function Stale({ board, stale }: { board: BoardHandle; stale: readonly ShotView[] }) {
  const text = staleText({ shots: board.shots, cast: board.board?.cast }, stale);
  return (
    <div className="board-status" role="status">
      <StaleCount count={stale.length} />
      <span className="cut" title={text}>
        {text}
      </span>
      <span className="grow" />
      <Button variant="ghost" onClick={() => keepAsTheyAre(board, stale)}>
        Keep as {stale.length === 1 ? 'it is' : 'they are'}
      </Button>
      <Redo board={board} shots={stale} verb="Redo" />
    </div>
  );
}

function Broken({ board, broken }: { board: BoardHandle; broken: BrokenChain }) {
  const shots = useMemo(() => [broken.head, ...broken.behind].toSorted((a, b) => a.number - b.number), [broken]);
  return (
    <div className="board-status" role="status">
      <span className="cut">{brokenText(broken)}</span>
      <span className="grow" />
      <Redo board={board} shots={shots} verb="Make again" />
    </div>
  );
}

const StaleCount = ({ count }: { count: number }) => (
  <span className="stale-tag">
    <Icon of={RotateCcw} />
    {count} stale
  </span>
);

/** Makes shots again that were made from what does not play any more, at the price of all of them, now or tonight. */
export function Redo({ board, shots, verb }: { board: BoardHandle; shots: readonly ShotView[]; verb: string }) {
  const some = useMemo(() => shots.slice(0, MAX_CHAIN), [shots]);
  const chain = useChain(board, some);
  const { price } = chain.now;
  return (
    <>
      <LeftAfterShort now={chain.now} />
      <SendButton
        off={chain.off}
        onSend={() => chain.send(false)}
        tonight={{ off: chain.tonightOff, onSend: () => chain.send(true) }}
      >
        {verb} {numbersOf(some)}
        {price && <PriceWords nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />}
      </SendButton>
    </>
  );
}
