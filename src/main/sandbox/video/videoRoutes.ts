import type { Gateway, RequestContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import type { IdempotencyGuard } from '../idempotency.ts';
import { acceptVideo } from './acceptVideo.ts';
import { finishedBody, operationBody, submittedBody } from './videoWire.ts';
import type { VideoWork } from './videoWork.ts';

/** Answers as a video model: accepts at once and is polled or, if configured, answers with the finished clip. */
export async function videoCompletion(
  gateway: Gateway,
  idempotency: IdempotencyGuard,
  work: VideoWork,
  c: RequestContext,
  body: Record<string, unknown>,
): Promise<Response> {
  const id = await idempotency.runOnce(c, (keysFor) => acceptVideo(gateway, c, body, keysFor));
  work.start(id);
  if (gateway.settings.videoAnswer === 'operation') return c.json(submittedBody(operationOf(gateway, id)));
  await work.wait(id);
  const operation = operationOf(gateway, id);
  if (operation.state === 'failed')
    throw new ApiError(500, operation.failure ?? 'The video failed.', { code: 'generation_failed' });
  if (operation.state === 'running') throw new ApiError(503, 'The service is shutting down.');
  return c.json(finishedBody(gateway, operation));
}

/** `GET /v1/operations/{id}`; `{id}` may include the prefix `operations/`. */
export function readOperation(gateway: Gateway, work: VideoWork, c: RequestContext): Response {
  const last = decodeURIComponent(c.req.path).split('/').at(-1) ?? '';
  const operation = gateway.state.videos.get(`operations/${last}`) ?? gateway.state.videos.get(last);
  if (!operation) throw new ApiError(404, `No operation ${last}.`, { code: 'not_found', param: 'id' });
  return c.json(operationBody(gateway, operation, work.drawnOf(operation)));
}

function operationOf(gateway: Gateway, id: string) {
  const operation = gateway.state.videos.get(id);
  if (!operation) throw new ApiError(500, `Operation ${id} is gone.`);
  return operation;
}
