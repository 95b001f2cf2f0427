import { t } from '../../../../shared/text/texts.ts';
import { gatewayError } from '../errors/index.ts';
import { accountOf } from '../exchange/index.ts';
import type { Service } from '../service.ts';
import { repeatVideo } from '../tasks/index.ts';
import type { RepeatOutcome, SentRequest } from '../types.ts';
import { repeatImage } from './imageTasks/submitImage.ts';

/**
 * With one of these, `true`, a service says that its answer is the one that it gave to the first request under this key, whatever that
 * was. Sources: docs.stripe.com/api/idempotent_requests and docs.whop.com/developer/api/idempotency (`Idempotent-Replayed`),
 * developer.fiskaly.com/blog/unified-api-idempotency-transparency (`X-Idempotency-Replayed`).
 */
const REPLAYED_HEADERS = ['idempotent-replayed', 'x-idempotency-replayed'];

/** Sends the bytes of a request once more. With other secrets nothing is sent: another account does not know the first one. */
export async function repeatRequest(service: Service, request: SentRequest & { body: string }): Promise<RepeatOutcome> {
  if (request.account !== accountOf(service, request.key)) {
    const message = t`Nothing was sent: the key of this gateway is another one now.`;
    const error = gatewayError(service, { kind: 'auth', message, accepted: 'no', retryable: false });
    return { outcome: { type: 'refused', error, billed: 'no' }, replayed: false };
  }
  let replayed = false;
  const onAnswer = (headers: Readonly<Record<string, string>>): void => {
    replayed = REPLAYED_HEADERS.some((name) => headers[name]?.trim().toLowerCase() === 'true');
  };
  const repeat = { request, onAnswer };
  const outcome = await (request.form === 'video' ? repeatVideo(service, repeat) : repeatImage(service, repeat));
  return { outcome, replayed };
}
