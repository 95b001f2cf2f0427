import { useIsPlay } from '../app/index.ts';

interface PlayMoneyProps {
  /** Whose price; without it, the active profile's. */
  profileId?: string | undefined;
}

export const PLAY_MONEY = 'Play money, nobody is billed';

/** Beside a price that stands in one line with its button: nothing where the money is real. */
export function PlayMoney({ profileId }: PlayMoneyProps) {
  if (!useIsPlay(profileId)) return null;
  return (
    <span className="play-money" title={PLAY_MONEY}>
      {' '}
      play<span className="rest"> money</span>
    </span>
  );
}

/** Under a price: the same as a sentence. */
export function PlayMoneyLine({ profileId }: PlayMoneyProps) {
  return useIsPlay(profileId) ? <div className="t3 cut">{PLAY_MONEY}</div> : null;
}
