import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { FORBIDDEN } from './origin.ts';

/** A request without a complete answer. */
export interface Failure {
  kind: Extract<ErrorKind, 'network' | 'timeout'>;
  /** One sentence. */
  message: string;
  /** `false`: the request was never sent, so it cannot have been accepted. */
  sent: boolean;
  /** What of a connection failed, so that nothing was sent. */
  at?: 'dns' | 'connect' | 'tls';
  /** The caller stopped the request. */
  stopped?: boolean;
  /** The address is forbidden. */
  forbidden?: boolean;
}

/** Thrown while reading a body that breaks off. */
export class BrokenBody extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'BrokenBody';
    this.failure = failure;
  }
}

/** Why our own clock or the caller ended a request. */
export type AbortReason = 'header' | 'idle' | 'total' | 'stopped';

const ABORT_MESSAGES: Record<AbortReason, string> = {
  header: t`The gateway did not answer in time.`,
  idle: t`The gateway went silent in the middle of its answer.`,
  total: t`The gateway took too long to finish its answer.`,
  stopped: t`The request was stopped.`,
};

export function abortFailure(reason: AbortReason, sent: boolean): Failure {
  const stopped = reason === 'stopped';
  return {
    kind: stopped ? 'network' : 'timeout',
    message: ABORT_MESSAGES[reason],
    sent,
    ...(stopped ? { stopped } : {}),
  };
}

/** The code of a refusal by the proxy itself: what it answers in this way it has passed on to nobody. */
export const PROXY_LOGIN = 'EPROXYLOGIN';

/** The failure of a connection, as a sentence. */
export function connectionFailure(error: unknown, host: string, begun: boolean): Failure {
  const code = codeOf(error);
  const sent = begun && code !== PROXY_LOGIN;
  const timeout = code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT';
  const message = sentenceOf(code, host, sent);
  const at = IS_LOOKUP.test(code) ? 'dns' : IS_TLS.test(code) ? 'tls' : 'connect';
  return {
    kind: timeout ? 'timeout' : 'network',
    message,
    sent,
    ...(sent ? {} : { at }),
    ...(code === FORBIDDEN ? { forbidden: true } : {}),
  };
}

const IS_LOOKUP = /^(ENOTFOUND|EAI_AGAIN|ENODATA)$/;
const IS_TLS = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|EPROTO|SSL/;

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth += 1) {
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0];
    const code: unknown = Object.getOwnPropertyDescriptor(at, 'code')?.value;
    if (typeof code === 'string' && !['UND_ERR', 'UND_ERR_SOCKET'].includes(code)) return code;
    if (!(at instanceof Error) || at.cause === undefined) return typeof code === 'string' ? code : '';
    at = at.cause;
  }
  return '';
}

function sentenceOf(code: string, host: string, sent: boolean): string {
  if (code === 'UND_ERR_INVALID_ARG')
    return t`The request cannot be sent: the key has characters that no header can carry.`;
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return t`The gateway's settings were changed before this was sent.`;
  const unreached = unreachedSentence(code, host) ?? proxySentence(code, host, sent);
  if (unreached !== undefined) return unreached;
  if (IS_TLS.test(code)) return t`No secure connection to ${host}: ${tlsReason(code)}.`;
  if (code.startsWith('HPE_')) return t`${host} does not answer in HTTP.`;
  if (sent) return t`The connection to ${host} was lost before the answer was complete.`;
  return t`No connection to ${host}.`;
}

function unreachedSentence(code: string, host: string): string | undefined {
  if (code === 'ENOTFOUND') return t`The address ${host} does not exist.`;
  if (code === 'EAI_AGAIN' || code === 'ENODATA')
    return t`The address ${host} cannot be looked up: is this machine online?`;
  if (code === 'ECONNREFUSED') return t`Nothing answers at ${host}.`;
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return t`${host} cannot be reached: connecting took too long.`;
  if (['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'].includes(code))
    return t`${host} cannot be reached from this network.`;
  return code === FORBIDDEN ? t`${host} leads to a private address, which is not fetched.` : undefined;
}

/** A tunnel that was not opened ends as an abort, which before a request is sent nothing else is. */
function proxySentence(code: string, host: string, sent: boolean): string | undefined {
  if (code === PROXY_LOGIN) return t`The proxy asks for a name and a password, which its address must have.`;
  const isRefused = !sent && (code === 'UND_ERR_ABORTED' || code.startsWith('UND_ERR_SOCKS5'));
  return isRefused
    ? t`The proxy does not lead to ${host}: it may ask for a name and a password, or refuse it.`
    : undefined;
}

function tlsReason(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (/SELF_SIGNED|UNABLE_TO_|UNTRUSTED/.test(code)) return 'its certificate is not trusted';
  return 'it does not speak TLS as expected';
}
