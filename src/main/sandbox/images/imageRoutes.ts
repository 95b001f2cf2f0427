import type { Gateway, RequestContext } from '../context.ts';
import { ApiError, invalid } from '../errors.ts';
import type { IdempotencyGuard } from '../idempotency.ts';
import { acceptEdit, acceptImagine } from './acceptImage.ts';
import { taskBody } from './imageWire.ts';
import type { ImageWork } from './imageWork.ts';
import { deliverHooks } from './webhooks.ts';

const BANNED_WORDS = /\bforbidden\b|\[filtered\]/i;

/** `POST {image_prefix}/submit/imagine` and `…/submit/edits`: the id of the accepted task. */
export async function submitImage(
  gateway: Gateway,
  idempotency: IdempotencyGuard,
  work: ImageWork,
  c: RequestContext,
  action: 'imagine' | 'edits',
): Promise<Response> {
  const banned = BANNED_WORDS.exec(String((c.get('body') as { prompt?: unknown } | undefined)?.prompt ?? ''))?.[0];
  if (banned) {
    // Gateways of this family refuse a prompt with a 200 and a special code.
    return c.json({
      code: 24,
      description: `The prompt may contain a banned word: ${banned}`,
      properties: { bannedWord: banned },
    });
  }
  const id = await idempotency.runOnce(c, async (keysFor) =>
    action === 'imagine' ? acceptImagine(gateway, c, keysFor) : acceptEdit(gateway, c, keysFor),
  );
  work.start(id);
  return c.json({ code: 1, description: 'Submitted', result: id, jobId: id });
}

/** `{image_prefix}/task/{id}/fetch`, by POST (spec 4.3) or GET. */
export function fetchTask(gateway: Gateway, c: RequestContext): Response {
  const task = taskOf(gateway, c.req.param('id') ?? '');
  const named = (c.get('body') as { jobId?: unknown } | undefined)?.jobId;
  if (named !== undefined && String(named) !== task.id) throw invalid('jobId', 'must be the id in the path');
  return c.json(taskBody(gateway, task));
}

/** `{image_prefix}/task/list-by-condition` with `{ ids }`: the known tasks, in the requested order. */
export function listTasks(gateway: Gateway, c: RequestContext): Response {
  const ids = (c.get('body') as { ids?: unknown } | undefined)?.ids;
  if (!Array.isArray(ids)) throw invalid('ids', 'must be a list of task ids');
  return c.json(ids.flatMap((id) => gateway.state.images.get(String(id)) ?? []).map((task) => taskBody(gateway, task)));
}

/** `{image_prefix}/task/{id}/cancel`: ends an unfinished task; finished work stays finished and billed. */
export async function cancelTask(gateway: Gateway, c: RequestContext): Promise<Response> {
  const task = taskOf(gateway, c.req.param('id') ?? '');
  if (task.state === 'running') {
    gateway.state.commit({ images: [{ ...task, state: 'canceled', finishedAt: gateway.clock.now() }] });
    void deliverHooks(gateway, task.id).catch(() => undefined);
  }
  return c.json({ code: 1, description: 'Canceled', result: task.id });
}

/** Similar gateways answer an unknown id with a 400; there a 404 means a wrong path. */
function taskOf(gateway: Gateway, id: string) {
  const task = gateway.state.images.get(id);
  if (!task) throw new ApiError(400, `No task ${id}.`, { code: 'not_found', param: 'id' });
  return task;
}
