import { t } from '../../shared/texts.ts';
import { useIsPlay } from '../app/index.ts';
import { type NightOrder, useSideOf } from './nightOrder.ts';

interface PlayMoneyProps {
  /** Whose price; without it, the active profile's. */
  profileId?: string | undefined;
}

export const PLAY_MONEY = t`Play money, nobody is billed`;

/** Beside a price that stands in one line with its button: nothing where the money is real. */
export function PlayMoney({ profileId }: PlayMoneyProps) {
  if (!useIsPlay(profileId)) return null;
  return (
    <span className="play-money" title={PLAY_MONEY}>
      {' '}
      {t`play`}
      <span className="rest"> {t`money`}</span>
    </span>
  );
}

/** Under a price: the same as a sentence. */
export function PlayMoneyLine({ profileId }: PlayMoneyProps) {
  return useIsPlay(profileId) ? <div className="t3 cut">{PLAY_MONEY}</div> : null;
}

/** Under the price of an order for the night: whose money it is, also where that is real. */
export function OrderPayer({ order }: { order: NightOrder }) {
  const { name, play } = useSideOf(order);
  const side = play ? PLAY_MONEY : t`Real money`;
  return <div className="t3 cut">{name === undefined ? side : t`At ${name}. ${side}`}</div>;
}
