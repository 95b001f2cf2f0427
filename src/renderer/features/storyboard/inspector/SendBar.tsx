import { clipCount } from '../../../../shared/kinds/video.ts';
import { announce, cacheJobs, useActiveProfile, useStudio } from '../../../app/index.ts';
import { type PriceNow, PriceRow, SpendBar, useNightOff, usePrice } from '../../../spending/index.ts';
import { plural } from '../../../ui/index.ts';
import { leftUnder, leftWords, reasonText } from '../../../words/index.ts';
import { linkedShot, quantityOfShot, reasonsOfShot } from '../model/draft.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { TakeOrder } from '../model/sync.ts';
import type { ShotView } from '../model/view.ts';
import { type BoardHandle, selectTake } from '../useBoard.ts';

/** The price where it is spent, why it cannot be spent yet, and the button. */
export function SendBar({ board, view }: { board: BoardHandle; view: ShotView }) {
  const shot = linkedShot(board, view);
  const contextTokens = useActiveProfile()?.limits.contextTokens ?? 128_000;
  const [reason] = reasonsOfShot(shot, board.board?.cast, board.media.lookUp, { contextTokens });
  const off = reason && reasonText(reason);
  const now = usePrice(quantityOfShot(shot));
  const next = view.takes.length + 1;
  const nightOff = useNightOff();
  const send = async (night: boolean) => {
    const answer = await board.sync.makeTake(shot.id, takeOrder(now, night));
    if (!answer.ok) return answer.error;
    cacheJobs([answer.data]);
    selectTake(shot.id, answer.data.id);
    announce(`Take ${next} of shot ${view.number} is ${night ? 'planned for the night' : 'in the queue'}`);
    return undefined;
  };
  return (
    <SpendBar
      label={`Make take ${next}`}
      off={off ?? now.off}
      onSend={() => send(false)}
      tonight={{ off: nightOff, onSend: () => send(true) }}
    >
      <Price view={view} now={now} />
    </SpendBar>
  );
}

/** At the price that is shown, in the planned night or now. */
export const takeOrder = ({ shown }: PriceNow, night: boolean): TakeOrder => ({
  shown,
  ...(night ? { night: true } : {}),
});

function Price({ view: { shot }, now }: { view: ShotView; now: PriceNow }) {
  const count = clipCount({ config: shot.config });
  const words = [
    count === 1 ? '1 take' : `1 take, ${plural(count, 'clip')}`,
    `${plannedSeconds(shot)} s`,
    shot.config.resolution,
  ];
  return (
    <>
      <PriceRow what={words.filter(Boolean).join(', ')} now={now} kind="video" />
      <LeftAfter now={now} />
    </>
  );
}

/** Under a price: what of it is reserved, and what it leaves of today’s budget. */
export function LeftAfter({ now: { price } }: { now: PriceNow }) {
  const left = useLeftToday();
  if (!price || price.unpriced > 0 || (price.settled && left === undefined)) return null;
  return (
    <div className="row between t3">
      <span className="cut">{price.settled ? 'Reserved until it is made' : 'The dearer is reserved'}</span>
      {left !== undefined && <span className="nw">{leftAfter(left - price.estimateNano)}</span>}
    </div>
  );
}

/** The same in a line that has no room for more. */
export function LeftAfterShort({ now: { price } }: { now: PriceNow }) {
  const left = useLeftToday();
  if (!price || price.unpriced > 0 || left === undefined) return null;
  return <span className="t3 nw left-after">{leftAfter(left - price.estimateNano)}</span>;
}

function useLeftToday(): number | undefined {
  const day = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day'));
  return day?.hardNano === undefined ? undefined : leftUnder(day.hardNano, day.used);
}

const leftAfter = (nano: number): string => `${leftWords(nano)} ${nano < 0 ? 'today’s budget' : 'after'}`;
