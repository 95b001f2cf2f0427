import { t } from '../../shared/texts.ts';
import { useIsPlay, useStudio } from '../app/index.ts';
import { leftUnder, leftWords } from '../words/index.ts';
import { PLAY_MONEY } from './PlayMoney.tsx';
import type { PriceNow } from './usePrice.ts';

interface AfterPriceProps {
  now: { price: Pick<NonNullable<PriceNow['price']>, 'estimateNano' | 'unpriced' | 'settled'> | undefined };
  /** Whose price; without it, the active profile's. */
  profileId?: string | undefined;
}

/** Under a price: whether it is play money or what of it is reserved, and what it leaves of today’s budget. */
export function AfterPrice({ now: { price }, profileId }: AfterPriceProps) {
  const isPlay = useIsPlay(profileId);
  const left = useLeftToday(profileId);
  if (!price) return null;
  const isKnown = price.unpriced === 0;
  const what = isPlay ? PLAY_MONEY : isKnown && reservedWords(price.settled, left);
  const after = isKnown && left !== undefined && leftAfter(left - price.estimateNano);
  if (!what && !after) return null;
  return (
    <div className="row between t3">
      <span className="cut">{what}</span>
      {after && <span className="nw">{after}</span>}
    </div>
  );
}

/** An exact price without a budget leaves nothing to say. */
const reservedWords = (isSettled: boolean, left: number | undefined): string | undefined => {
  if (!isSettled) return t`The dearer is reserved`;
  return left === undefined ? undefined : t`Reserved until it is made`;
};

/** What a price leaves of today’s budget, in a line that has no room for more. */
export function LeftAfterShort({ now: { price } }: AfterPriceProps) {
  const left = useLeftToday();
  if (!price || price.unpriced > 0 || left === undefined) return null;
  return <span className={`t3 nw $"left-after"`}>{leftAfter(left - price.estimateNano)}</span>;
}

/** Of the active profile's side; a price of the other side leaves it as it is. */
function useLeftToday(profileId?: string): number | undefined {
  const day = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day'));
  const isOwn = useIsPlay(profileId) === useIsPlay();
  return !isOwn || day?.hardNano === undefined ? undefined : leftUnder(day.hardNano, day.used);
}

const leftAfter = (nano: number): string => `${leftWords(nano)} ${nano < 0 ? t`today’s budget` : 'after'}`;
