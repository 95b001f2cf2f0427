import { isDead } from '../../../shared/film/film.ts';
import { WAITS_FOR_KEY } from '../../../shared/gateway/profile.ts';
import { isTerminal, type Job } from '../../../shared/jobs/job.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { plural, t } from '../../../shared/text/texts.ts';
import { BLOCK_WORDS, STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import type { ShotView, TakeView } from './model/view.ts';

/** `Shot 4 · take 2`, or that there is no take yet. */
export function takeName({ number, active }: ShotView, take: TakeView | undefined): string {
  const isMade = take && !(isDead(take.job) && take === active);
  return isMade ? t`Shot ${number} · take ${take.number}` : t`Shot ${number} · no take yet`;
}

/** What a take waits for before it is made. */
export function waitingWords({ state, reason }: Job): string | undefined {
  if (reason === 'key') return WAITS_FOR_KEY;
  return state === 'blocked' && reason ? BLOCK_WORDS[reason].reason : undefined;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `$2.40` → `2 dollars 40`; `$0.0041` → `0.0041 dollars`. */
export function spokenMoney(nano: Nano): string {
  const [whole = '', cents = ''] = formatNano(nano).replace('$', '').split('.');
  if (cents.length > 2) return t`${whole}.${cents} dollars`;
  const dollars = plural(Number(whole.replaceAll(',', '')), 'dollar');
  return cents === '00' || cents === '' ? dollars : `${dollars} ${cents}`;
}

/** The accessible name of a take: `Take 4 of shot 3, Keep, Selected take, At most 2 dollars 40`. */
export function spokenTake(shot: number, { number, job }: TakeView, isActive: boolean): string {
  const parts = [t`Take ${number} of shot ${shot}`];
  if (!job) return [...parts, t`Loading`].join(', ');
  const { money, state, verdict } = job;
  const isOpen = money.chargedLowNano !== money.chargedNano;
  const price = money.unpriced
    ? t`No price set`
    : money.uncertainNano > 0
      ? t`${spokenMoney(money.uncertainNano)} unconfirmed`
      : isTerminal(state) && !isOpen
        ? spokenMoney(money.chargedNano)
        : t`At most ${spokenMoney(isTerminal(state) ? money.chargedNano : money.estimateNano)}`;
  const now = state === 'succeeded' ? undefined : STATE_WORDS[state];
  return [...parts, verdict && VERDICT_WORDS[verdict], isActive && t`Selected take`, now, price]
    .filter(Boolean)
    .join(', ');
}
