import type { ChatOutcome, GatewayError, PollOutcome, SubmitOutcome } from '../../gateway/index.ts';

/** What an answer, or its absence, says about the service as a whole; nothing where it says something about the order alone. */
export type Report =
  /** It answers as services do; a definite no and a stream that broke off are answers too. */
  | { type: 'fine' }
  /** No connection came about, so nobody took anything. */
  | { type: 'unreached' }
  /**
   * 5xx, a timeout, a lost connection; `sort` tells which. `costly`: an order may have been taken, so that another try puts money
   * at stake.
   */
  | { type: 'faulty'; sort: string; costly: boolean }
  /** It asks to slow down. */
  | { type: 'limited'; retryAfterMs?: number };

export function reportOfOrder(outcome: SubmitOutcome | ChatOutcome): Report | undefined {
  if (outcome.type !== 'refused' && outcome.type !== 'unknown') return { type: 'fine' };
  const { error } = outcome;
  if (error.accepted === 'no' && asksToWait(error)) return limited(error);
  return reportOfError(error);
}

export function reportOfPoll(outcome: PollOutcome): Report | undefined {
  if (outcome.type !== 'unreachable') return { type: 'fine' };
  const { error } = outcome;
  if (asksToWait(error)) return limited(error);
  const report = reportOfError(error);
  return report?.type === 'faulty' ? { ...report, costly: false } : report;
}

function reportOfError(error: GatewayError): Report | undefined {
  const { kind, status, accepted } = error;
  const byLine = kind === 'network' || kind === 'timeout';
  if (status === undefined) {
    if (!byLine) return undefined;
    return accepted === 'no' ? { type: 'unreached' } : { type: 'faulty', sort: kind, costly: true };
  }
  // A portal or a proxy that takes every order would take the next one too.
  if (error.wrongPlace && accepted === 'unknown') return { type: 'faulty', sort: `${status}`, costly: true };
  const atFault = byLine || kind === 'server';
  // A bad gateway's 2xx that nobody can read is no better than its 5xx, nor is a 404 that means that there is no room now.
  if (atFault && (status >= 500 || accepted === 'unknown' || (accepted === 'no' && error.retryable)))
    return { type: 'faulty', sort: `${status}`, costly: accepted !== 'no' };
  return { type: 'fine' };
}

const asksToWait = (error: GatewayError): boolean => error.kind === 'rate_limit' || error.retryAfterMs !== undefined;

const limited = ({ retryAfterMs }: GatewayError): Report =>
  retryAfterMs === undefined ? { type: 'limited' } : { type: 'limited', retryAfterMs };
