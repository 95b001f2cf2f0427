import { isTerminal, type Job } from '../../../shared/job.ts';
import { formatNano, type Nano } from '../../../shared/money.ts';
import type { TakeView } from './model/take.ts';

/** What a blocked job waits for, where its state alone does not say it. */
export function wordsOf(job: Job): string | undefined {
  if (job.state !== 'blocked') return undefined;
  const words: Partial<Record<NonNullable<Job['reason']>, string>> = {
    dependency: 'Waits for another take',
    budget: 'Waits for budget',
    offline: 'Waits for the gateway',
    rate: 'Waits for the rate limit',
    window: 'Waits for the night',
    paused: 'The queue is paused',
    key: 'Needs a key',
    auth: 'The key was refused',
    quota: 'Out of quota',
    price: 'Waits for a price to be decided',
  };
  return job.reason && words[job.reason];
}

const STATE_WORDS: Record<Job['state'], string | undefined> = {
  queued: 'waiting',
  blocked: 'waiting',
  sending: 'being sent',
  running: 'being made',
  fetching: 'being fetched',
  succeeded: undefined,
  failed: 'refused',
  canceled: 'canceled',
  uncertain: 'in doubt',
};

/** `$2.40` → `2 dollars 40`; `$0.0041` → `0.0041 dollars`. */
export function spokenMoney(nano: Nano): string {
  const [whole = '', cents = ''] = formatNano(nano).replace('$', '').split('.');
  if (cents.length > 2) return `${whole}.${cents} dollars`;
  return `${whole} ${whole === '1' ? 'dollar' : 'dollars'}${cents === '00' || cents === '' ? '' : ` ${cents}`}`;
}

/** As a take is spoken: `Take 4 of shot 3, keep, active, at most 2 dollars 40`. */
export function spokenTake(shot: number, { number, job }: TakeView, isActive: boolean): string {
  const parts = [`Take ${number} of shot ${shot}`];
  if (!job) return [...parts, 'being read'].join(', ');
  const { money, state, verdict } = job;
  const isOpen = money.chargedLowNano !== money.chargedNano;
  const price = money.unpriced
    ? 'price not known'
    : money.uncertainNano > 0
      ? `${spokenMoney(money.uncertainNano)} at stake`
      : isTerminal(state)
        ? `${isOpen ? 'at most ' : ''}${spokenMoney(money.chargedNano)}`
        : `at most ${spokenMoney(money.estimateNano)}`;
  return [...parts, verdict, isActive && 'active', STATE_WORDS[state], price].filter(Boolean).join(', ');
}
