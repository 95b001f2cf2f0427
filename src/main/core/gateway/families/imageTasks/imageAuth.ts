import { type ImageAuth, jsonHeaders } from '../../../../../shared/wire/headers.ts';
import { httpError, isDenied } from '../../errors/index.ts';
import { type Answer, HEADER_MS, sendQuery } from '../../exchange/index.ts';
import { urlOf } from '../../http/index.ts';
import type { Service } from '../../service.ts';

/** Whether a 401 or 403 is about the key; one about an empty balance or a banned prompt is not. */
export function isKeyRefusal(service: Service, answer: Answer): boolean {
  if (!isDenied(answer.status)) return false;
  const kind = httpError(service, answer)?.kind;
  return kind !== 'quota' && kind !== 'moderation' && kind !== 'rate_limit';
}

/**
 * The spellings to try after one was refused, the accepted one first: polling an unknown image task is free and shows which spelling the
 * service accepts (spec 5.3). If the service accepts the refused spelling there too, the poll shows nothing.
 */
export async function orderByTrial(
  service: Service,
  refused: ImageAuth,
  others: ImageAuth[],
  signal?: AbortSignal,
): Promise<ImageAuth[]> {
  if (others.length < 2 || !(await isKeyRefusedWith(service, refused, signal))) return others;
  for (const auth of others) {
    if (!(await isKeyRefusedWith(service, auth, signal))) return [auth, ...others.filter((other) => other !== auth)];
  }
  return others;
}

async function isKeyRefusedWith(service: Service, auth: ImageAuth, signal?: AbortSignal): Promise<boolean> {
  const { answer } = await sendQuery(service, {
    method: service.memory().fetchMethod ?? 'POST',
    url: urlOf(service, `/${service.profile.imagePrefix}/task/key-check/fetch`),
    headers: { ...jsonHeaders(), ...auth.headers },
    body: { jobId: 'key-check' },
    headerMs: HEADER_MS.test,
    ...(signal ? { signal } : {}),
  });
  return answer !== undefined && isKeyRefusal(service, answer);
}
