import { clipCount } from '../../../../shared/kinds/video.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { announce, cacheJobs, useModelLimits } from '../../../app/index.ts';
import { type PriceNow, PriceRow, SpendBar, usePrice } from '../../../spending/index.ts';
import { reasonText } from '../../../words/index.ts';
import { linkedShot, quantityOfShot, reasonsOfShot } from '../model/draft.ts';
import { plannedSeconds } from '../model/shots.ts';
import type { TakeOrder } from '../model/sync.ts';
import type { ShotView } from '../model/view.ts';
import { type BoardHandle, showTake } from '../useBoard.ts';

const GONE = t`The shot that was chosen is gone. Choose the one to make.`;

interface SendBarProps {
  board: BoardHandle;
  view: ShotView;
  /** It is shown in place of the chosen shot, which is gone. */
  isGone?: boolean;
}

/** The price where it is spent, why it cannot be spent yet, and the button. */
export function SendBar({ board, view, isGone = false }: SendBarProps) {
  const shot = linkedShot(board, view);
  const limitsOf = useModelLimits();
  const [reason] = reasonsOfShot(shot, board.board?.cast, board.media.lookUp, limitsOf(shot.model));
  const off = isGone ? GONE : reason && reasonText(reason);
  const now = usePrice(quantityOfShot(shot));
  const next = view.takes.length + 1;
  const label = t`Make take ${next}`;
  const send = async (night: boolean) => {
    const answer = await board.sync.makeTake(shot.id, takeOrder(now, night));
    if (!answer.ok) return answer.error;
    cacheJobs([answer.data]);
    showTake(shot.id, answer.data.id);
    announce(t`Take ${next} of shot ${view.number} is ${night ? t`planned for the night` : t`in the queue`}`);
    return undefined;
  };
  return (
    <SpendBar
      // What became of a press belongs to its shot, and a press beside another one is another press.
      key={shot.id}
      label={label}
      off={off ?? now.off}
      onSend={() => send(false)}
      tonight={{ what: t`${label} of shot ${view.number}`, shown: now.shown, onSend: () => send(true) }}
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
    count === 1 ? t`1 take` : t`1 take, ${counted(count, 'clip')}`,
    `${plannedSeconds(shot)} s`,
    shot.config.resolution,
  ];
  return <PriceRow what={words.filter(Boolean).join(', ')} now={now} kind="video" />;
}
