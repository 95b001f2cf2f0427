import type { Result } from '../../../../shared/contract/result.ts';
import { isTerminal, type Job } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, cacheJobs, MoneyPlate, useIsPlay, useModelLimits } from '../../../app/index.ts';
import { LeftToday, NoPrice, type PriceNow, type SendFailure, SpendBar, usePrice } from '../../../spending/index.ts';
import { PriceTag, priceText } from '../../../ui/index.ts';
import { reasonText, STATE_WORDS } from '../../../words/index.ts';
import { linkedShot, quantityOfShot, reasonsOfShot } from '../model/draft.ts';
import type { TakeOrder } from '../model/sync.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './inspector.module.css';

const GONE = t`The selected shot is gone. Select another.`;

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
  const send = (night: boolean) => ordered(label, night, board.sync.makeTake(shot.id, takeOrder(now, night)));
  return (
    <SpendBar
      // What became of a press belongs to its shot, and a press beside another one is another press.
      key={shot.id}
      label={label}
      off={off ?? now.off}
      isQuiet={view.takes.some(({ job }) => job && !isTerminal(job.state))}
      onSend={() => send(false)}
      tonight={{ what: t`${label} of shot ${view.number}`, shown: now.shown, onSend: () => send(true) }}
      foot={<PriceUnit now={now} />}
    >
      <Price now={now} />
    </SpendBar>
  );
}

/** At the price that is shown, in the planned night or now. */
export const takeOrder = ({ shown }: PriceNow, night: boolean): TakeOrder => ({
  shown,
  ...(night ? { night: true } : {}),
});

/** Takes over what was ordered, and says so; why not, where it was refused. */
export async function ordered(
  label: string,
  night: boolean,
  asked: Promise<Result<Job | Job[]>>,
): Promise<SendFailure> {
  const answer = await asked;
  if (!answer.ok) return answer.error;
  cacheJobs([answer.data].flat());
  announce(`${label}: ${night ? t`Scheduled overnight` : STATE_WORDS.queued}`);
  return undefined;
}

/** Whose money it is, the highest price, and what is left today. */
function Price({ now: { price, hasFailed } }: { now: PriceNow }) {
  const { estimateNano = 0, lowNano, unpriced } = price ?? {};
  return (
    <>
      <div className="row wrap">
        <MoneyPlate />
        <b className={`price ${styles.total}`}>
          {price ? priceText(estimateNano, lowNano, 'range', unpriced) : hasFailed ? t`No price set` : '–'}
        </b>
        <LeftToday price={price} />
      </div>
      {price && price.unpriced > 0 && <NoPrice kind="video" />}
    </>
  );
}

/** Where the unit of a price is not known, both prices on demand. */
function PriceUnit({ now: { price } }: { now: PriceNow }) {
  const isPlay = useIsPlay();
  if (!price || price.unpriced > 0 || price.lowNano === price.estimateNano) return isPlay ? t`Not billed` : null;
  return <PriceTag nano={price.estimateNano} lowNano={price.lowNano} words={t`Price unit not known`} />;
}
