import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { codeRulesIn } from './rules/codes.ts';
import { HTTP_STATUSES } from './rules/httpStatuses.ts';
import { normalizeText } from './rules/sentences.ts';
import type { ServiceError } from './serviceError.ts';

/**
 * Whether an error answer to a paid request is a definite no. Automatic resend and a cost of 0 depend on this, so statuses and exact codes
 * decide it, never a sentence, which may raise a doubt and removes none:
 *
 * | what came back                                                                  | result  |
 * | ------------------------------------------------------------------------------- | ------- |
 * | a status, its own or one in its error, behind which the answer is lost          | `lost`  |
 * | a code that says that work may have begun (a timeout, a request known already)  | `open`  |
 * | a 4xx with a known meaning                                                      | `no`    |
 * | a code of the table that says that no work began, in any status                 | `no`    |
 * | but not missing capacity around a connection that broke                         |         |
 * | a 5xx that says that nothing behind it was reached; 503 with `Retry-After`,     | `no`    |
 * | unless its text names a timeout or a connection that broke                      |         |
 * | a 5xx with a known 4xx in a field for the status of the service behind it       | `no`    |
 * | a good status around the code of a known 4xx                                    | `no`    |
 * | anything else                                                                   | `open`  |
 *
 * `lost`: nobody knows, and a task may be looked up. `open`: the service answered that the request failed, but not whether it is billed.
 * In a `GatewayError`, `no` is `accepted: 'no'`, `lost` is `accepted: 'unknown'`, and `open` is that with `answered: true`.
 */
export type Acceptance = 'no' | 'open' | 'lost';

export interface AnswerFacts {
  kind: ErrorKind;
  /** The answer has a `Retry-After` header. */
  hasRetryAfterHeader: boolean;
}

export function acceptanceOf(
  status: number,
  serviceError: ServiceError,
  { kind, hasRetryAfterHeader }: AnswerFacts,
): Acceptance {
  const own = HTTP_STATUSES.get(status);
  const inner = serviceError.httpStatus === undefined ? undefined : HTTP_STATUSES.get(serviceError.httpStatus);
  if (own?.accepted === 'lost' || inner?.accepted === 'lost') return 'lost';
  const byCode = acceptanceByCode(status, serviceError);
  if (byCode === 'lost' || byCode === 'open') return byCode;
  if (byCode === 'no' || own?.accepted === 'no') return 'no';
  // Around a timeout further behind, the work may have begun.
  if (status === 503 && hasRetryAfterHeader && kind !== 'timeout' && !isBroken(serviceError)) return 'no';
  if (status >= 500) return wasRefusedBehind(serviceError) ? 'no' : openOrLost(kind);
  if (status >= 400) return 'open';
  // A failure with a good status does not say what it cost, so its text may add doubt but never removes it.
  return inner ? acceptanceInBody(inner.accepted, serviceError) : openOrLost(kind);
}

/** In a body, some of these numbers are not HTTP statuses: a 501 there is a generation that failed. */
const acceptanceInBody = (accepted: Acceptance, { httpStatus = 0 }: ServiceError): Acceptance =>
  accepted === 'no' && httpStatus < 500 ? 'no' : 'open';

/** After a timeout a task may be there all the same, so it is looked up. */
const openOrLost = (kind: ErrorKind): Acceptance => (kind === 'timeout' ? 'lost' : 'open');

/** What the codes in the error say together; undefined where it has no known code. */
function acceptanceByCode(status: number, serviceError: ServiceError): Acceptance | undefined {
  const rules = codeRulesIn(serviceError, status >= 400 ? status : (serviceError.httpStatus ?? status));
  const isClientError = status >= 400 && status < 500;
  // Whoever names missing capacity around a broken connection may have sent the order on before it broke.
  const isDoubted = !isClientError && isBroken(serviceError);
  // A 4xx that filters content means that nothing was generated.
  const unclear = rules.find((rule) => rule.accepted === 'open' && !(isClientError && rule.kind === 'moderation'));
  if (unclear) return openOrLost(unclear.kind);
  return rules.some((rule) => rule.kind !== 'server' || !isDoubted) ? 'no' : undefined;
}

/** UNAVAILABLE is also what a call ends with whose connection broke (google/rpc/code.proto, grpc doc/statuscodes.md). */
const isBroken = ({ message, codes }: ServiceError): boolean =>
  [message, ...codes].map(normalizeText).some((sentence) => BROKEN.test(sentence));

/** As Envoy, gRPC, QUIC, Go, Node, Python, Java, Rust and Winsock call a connection that ended. */
const BROKEN =
  /\b(disconnect reset|reset before headers|reset by peer|transport is closing|goaway|broken pipe|eof|socket hang up|econnreset|other side closed|closing transport|server disconnected)\b|\bclosed\b.{0,60} connection\b|\bconnection\b.{0,60} (lost\b|closed\b|reset\b|terminat|abort)/;

/**
 * A gateway names the status with which the service behind it refused the request. Any other number in a 5xx may belong to a later step,
 * such as a poll, so it does not prove that the request was refused.
 */
const wasRefusedBehind = ({ upstreamStatus = 0 }: ServiceError): boolean =>
  upstreamStatus < 500 && HTTP_STATUSES.get(upstreamStatus)?.accepted === 'no';

/** The code says that the service had no capacity, so the same request may succeed later. */
export function hasNoCapacity(serviceError: ServiceError, status: number): boolean {
  const rules = codeRulesIn(serviceError, status);
  return (
    rules.length > 0 && rules.every((rule) => rule.accepted === 'no') && rules.some((rule) => rule.kind === 'server')
  );
}
