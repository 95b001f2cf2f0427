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
  /** The step of the connection that failed, so that nothing was sent. */
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
  idle: t`The answer was cut off.`,
  total: t`The answer was cut off.`,
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

/** The code of a refusal by the proxy itself. The proxy has not passed the request on. */
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
  if (code === 'UND_ERR_INVALID_ARG') return t`The key has characters that cannot be sent.`;
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return t`The gateway was changed before this was sent.`;
  const unreached = unreachedSentence(code, host) ?? proxySentence(code, host, sent);
  if (unreached !== undefined) return unreached;
  if (IS_TLS.test(code)) return t`No secure connection to ${host}: ${tlsReason(code)}.`;
  if (code.startsWith('HPE_')) return t`The answer is not a gateway’s. Check the base URL.`;
  if (sent) return t`The connection to ${host} was lost.`;
  return t`No connection to ${host}.`;
}

function unreachedSentence(code: string, host: string): string | undefined {
  if (code === 'ENOTFOUND') return t`The address ${host} does not exist.`;
  if (code === 'EAI_AGAIN' || code === 'ENODATA') return t`${host} was not found. Check that this computer is online.`;
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return t`${host} does not answer.`;
  return code === FORBIDDEN ? t`${host} is a private address and is not fetched.` : undefined;
}

/** A tunnel that was not opened is reported as an abort; nothing else is, before a request is sent. */
function proxySentence(code: string, host: string, sent: boolean): string | undefined {
  if (code === PROXY_LOGIN) return t`The proxy needs a name and a password.`;
  const isRefused = !sent && (code === 'UND_ERR_ABORTED' || code.startsWith('UND_ERR_SOCKS5'));
  return isRefused ? t`The proxy refuses ${host} or needs a password.` : undefined;
}

function tlsReason(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (/SELF_SIGNED|UNABLE_TO_|UNTRUSTED/.test(code)) return 'its certificate is not trusted';
  return 'it does not speak TLS as expected';
}
