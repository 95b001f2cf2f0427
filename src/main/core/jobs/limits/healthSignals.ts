import type { ChatOutcome, GatewayError, PollOutcome, SubmitOutcome } from '../../gateway/index.ts';

/** What an outcome says about the service as a whole. An outcome that concerns only its own job gives no signal. */
export type HealthSignal =
  /** The service answers normally; a definite refusal and a broken stream are answers too. */
  | { type: 'healthy' }
  /** No connection was established, so no request was accepted. */
  | { type: 'unreachable' }
  /**
   * 5xx, a timeout or a lost connection; `failure` names which. `mayBeBilled`: the service may have accepted the request, so another
   * attempt puts money at risk.
   */
  | { type: 'failing'; failure: string; mayBeBilled: boolean }
  /** The service asks to slow down. */
  | { type: 'rateLimited'; retryAfterMs?: number };

export function signalOf(outcome: SubmitOutcome | ChatOutcome | PollOutcome): HealthSignal | undefined {
  if (outcome.type !== 'refused' && outcome.type !== 'unknown' && outcome.type !== 'unreachable')
    return { type: 'healthy' };
  const { error } = outcome;
  const isPoll = outcome.type === 'unreachable';
  if (asksToWait(error) && (isPoll || error.accepted === 'no')) {
    const { retryAfterMs } = error;
    return { type: 'rateLimited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const signal = signalOfError(error);
  return isPoll && signal?.type === 'failing' ? { ...signal, mayBeBilled: false } : signal;
}

function signalOfError(error: GatewayError): HealthSignal | undefined {
  const { kind, status, accepted } = error;
  const isConnectionError = kind === 'network' || kind === 'timeout';
  if (status === undefined) {
    if (!isConnectionError) return undefined;
    return accepted === 'no' ? { type: 'unreachable' } : { type: 'failing', failure: kind, mayBeBilled: true };
  }
  // A captive portal or a proxy that answers every request would answer the next one too.
  if (error.wrongPlace && accepted === 'unknown') return { type: 'failing', failure: `${status}`, mayBeBilled: true };
  const isServiceError = isConnectionError || kind === 'server';
  // An unreadable 2xx of a broken gateway is no better than a 5xx, nor is a 404 that means that it has no capacity now.
  if (isServiceError && (status >= 500 || accepted === 'unknown' || (accepted === 'no' && error.retryable)))
    return { type: 'failing', failure: `${status}`, mayBeBilled: accepted !== 'no' };
  return { type: 'healthy' };
}

export const asksToWait = (error: GatewayError): boolean =>
  error.kind === 'rate_limit' || error.retryAfterMs !== undefined;
