import { isTerminal, type Job } from '../../src/shared/job.ts';
import { dollars, job, money } from './data.ts';

/** Pictures whose price nobody knows, held back by the day's hard cap while they wait. */
export function withoutPrice(known: Job): Job {
  if (known.kind !== 'imagine' && known.kind !== 'edit') return known;
  const unpriced = { ...known, money: { ...money(0), unpriced: true as const } };
  return isTerminal(known.state) || known.state === 'uncertain' || known.state === 'running'
    ? unpriced
    : { ...unpriced, state: 'blocked', reason: 'budget' };
}

/** Chats that were cut off: fractions of a cent, each. */
export function smallDoubts(): Job[] {
  return ['Name the harbour', 'Shorter, please', 'And in French?'].map((content) => {
    const cut = job({
      request: { kind: 'chat', model: 'language', messages: [{ role: 'user', content }] },
      dollars: [0.0041],
      state: 'failed',
      error: { kind: 'network', message: 'The answer was cut off; what had come is kept.', retryable: true },
    });
    return { ...cut, money: { ...money(0.0041), uncertainNano: dollars(0.0041), reservedNano: 0 } };
  });
}
