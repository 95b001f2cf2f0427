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
  /** Whether it is shown instead of the selected shot, which is gone. */
  isGone?: boolean;
}

/** The price, why it cannot be spent yet, and the button. */
export function SendBar({ board, view, isGone = false }: SendBarProps) {
  const shot = linkedShot(board, view);
  const limitsOf = useModelLimits();
  const [reason] = reasonsOfShot(shot, board.board?.cast, board.media.lookUp, limitsOf(shot.model));
  const off = isGone ? GONE : reason && reasonText(reason);
  const now = usePrice(quantityOfShot(shot));
  const next = view.takes.length + 1;
  const label = t`Make take ${next}`;
  const tonight = t`${label} of shot ${view.number}`;
  return (
    <SpendBar
      // Keyed by shot: the outcome of a press belongs to its shot, and a press for another shot is a new one.
      key={shot.id}
      label={label}
      off={off ?? now.off}
      isQuiet={view.takes.some(({ job }) => job && !isTerminal(job.state))}
      {...ordering(label, now, (order) => board.sync.makeTake(shot.id, order), tonight)}
      foot={<PriceUnit now={now} />}
    >
      <Price now={now} />
    </SpendBar>
  );
}

/** Sends a request at the shown price, now or in the scheduled run (`what`); updates the cache and announces the jobs. */
export function ordering(
  label: string,
  now: PriceNow,
  ask: (order: TakeOrder) => Promise<Result<Job | Job[]>>,
  what = label,
) {
  const send = async (night: boolean): Promise<SendFailure> => {
    const answer = await ask({ shown: now.shown, ...(night ? { night } : {}) });
    if (!answer.ok) return answer.error;
    cacheJobs([answer.data].flat());
    announce(`${label}: ${night ? t`Scheduled overnight` : STATE_WORDS.queued}`);
    return undefined;
  };
  return { onSend: () => send(false), tonight: { what, shown: now.shown, onSend: () => send(true) } };
}

/** The kind of money, the highest price, and today's remaining budget. */
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

/** Shows both prices on demand if the unit is unknown. */
function PriceUnit({ now: { price } }: { now: PriceNow }) {
  const isPlay = useIsPlay();
  if (!price || price.unpriced > 0 || price.lowNano === price.estimateNano) return isPlay ? t`Not billed` : null;
  return <PriceTag nano={price.estimateNano} lowNano={price.lowNano} words={t`Price unit not known`} />;
}
