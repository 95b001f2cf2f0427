import type { Gateway } from '../context.ts';
import type { ImageTask } from '../state/records.ts';
import { taskBody } from './imageWire.ts';

const TIMEOUT_MS = 3_000;
const TRIES = 3;
const RETRY_MS = 500;
const LATE_MS = 5_000;

/** Reports half-way progress, as gateways of this kind do. */
export async function reportProgress(gateway: Gateway, id: string): Promise<void> {
  const task = gateway.state.images.get(id);
  if (task?.state !== 'running' || !task.hookUrl || task.hook?.what === 'omitted') return;
  await post(gateway, task.hookUrl, { ...taskBody(gateway, task), status: 'IN_PROGRESS' });
  if (task.hook?.what === 'forged') await forge(gateway, task, task.hookUrl);
}

/** Calls the hook on completion (spec 6.1), with the deliveries of the fault script. */
export async function deliverHooks(gateway: Gateway, id: string): Promise<void> {
  const task = gateway.state.images.get(id);
  if (!task?.hookUrl || task.state === 'running' || task.hook?.what === 'omitted') return;
  if (task.hook?.what === 'late') await gateway.clock.delay(task.hook.ms ?? LATE_MS, gateway.closing);
  const times = task.hook?.what === 'repeated' ? 3 : 1;
  for (let sent = 0; sent < times; sent += 1) await post(gateway, task.hookUrl, taskBody(gateway, task));
}

/** Sends forged calls that claim success with another picture: one to the true address, one with a wrong last segment (the secret). */
async function forge(gateway: Gateway, task: ImageTask, hookUrl: string): Promise<void> {
  const lie = {
    ...taskBody(gateway, task),
    status: 'SUCCESS',
    progress: '100%',
    cdnImage: `${gateway.baseUrl()}/media/forged.png`,
  };
  await post(gateway, hookUrl, lie);
  await post(gateway, `${hookUrl.slice(0, hookUrl.lastIndexOf('/') + 1)}not-the-secret`, lie);
}

/** Posts to loopback addresses only. Gives up after three attempts. */
async function post(gateway: Gateway, hookUrl: string, body: object): Promise<void> {
  const host = URL.parse(hookUrl)?.hostname ?? '';
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) return;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      const answer = await fetch(hookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), gateway.closing]),
      });
      await answer.body?.cancel();
      if (answer.ok) return;
    } catch {
      // Unreachable or too slow: try again.
    }
    if (gateway.closing.aborted) return;
    if (attempt < TRIES) await gateway.clock.delay(RETRY_MS, gateway.closing);
  }
}
