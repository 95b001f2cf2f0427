import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type Gateway, type RequestContext, renderedSize, scaledLatency } from '../context.ts';
import { ApiError, invalid, invalidFromIssues } from '../errors.ts';
import { newTaskId } from '../ids.ts';
import { inspectMask } from '../render/measure.ts';
import type { BillEntry, ImageTask, KeyRecord, MediaRecord } from '../state/records.ts';
import { readImaginePrompt } from './promptFlags.ts';

/** Demo latencies in proportion to the specification's targets (spec 8: turbo 60 s, fast 90 s, relax 10 min), short enough to watch. */
const LATENCY_MS = { turbo: 2_000, fast: 4_000, relax: 10_000 } as const;
const EDIT_LATENCY_MS = 3_000;

const prompt = z.string('must be text').max(8_000, 'must have at most 8000 characters');
const hookUrl = z
  .string('must be an address')
  .refine(
    (text) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
    'must start with http:// or https://',
  )
  .optional();
const imagineSchema = z.object({
  prompt: prompt.refine((text) => text.trim() !== '', 'must not be empty'),
  mode: z.enum(['fast', 'relax', 'turbo'], "must be 'fast', 'relax' or 'turbo'").default('fast'),
  hookUrl,
});
const editsSchema = z.object({
  jobId: z.string('must be the id of an earlier image task').min(1, 'must not be empty'),
  mask: z.string('must be base64 of a PNG').min(1, 'must not be empty'),
  prompt: prompt.optional(),
  timeout: z.int('must be a whole number').min(1, 'must be 1 or more').optional(),
  hookUrl,
});

/** `submit/imagine` (spec 4.2): validates, then commits task, bill entry and key together; returns the task id. */
export function acceptImagine(gateway: Gateway, c: RequestContext, keysFor: (ref: string) => KeyRecord[]): string {
  const read = imagineSchema.safeParse(c.get('body'));
  if (!read.success) throw invalidFromIssues(read.error.issues);
  const request = read.data;
  const { words, version, quality, width, height, seed } = renderedSize(
    gateway.settings,
    readImaginePrompt(request.prompt),
  );
  if (!words) throw invalid('prompt', 'must have words besides its flags');
  const plan = {
    kind: 'imagine' as const,
    words,
    version,
    quality,
    width,
    height,
    seed: seed ?? randomInt(0, 2 ** 32),
  };
  const task = newTask(gateway, c, {
    action: 'IMAGINE',
    prompt: request.prompt,
    mode: request.mode,
    plan,
    hookUrl: request.hookUrl,
  });
  const { id, createdAt: at } = task;
  commit(
    gateway,
    task,
    { at, id, kind: 'imagine', model: `image-v${version}`, prompt: request.prompt, nano: gateway.settings.imageNano },
    keysFor,
  );
  return id;
}

/** `submit/edits` (spec 4.4). A mask must have the picture's size and be pure black and white (spec 2.6), or it is refused. */
export async function acceptEdit(
  gateway: Gateway,
  c: RequestContext,
  keysFor: (ref: string) => KeyRecord[],
): Promise<string> {
  const read = editsSchema.safeParse(c.get('body'));
  if (!read.success) throw invalidFromIssues(read.error.issues);
  const request = read.data;
  const base = basePicture(gateway, request.jobId);
  const mask = await checkMask(request.mask, base);
  const { words } = request.prompt ? readImaginePrompt(request.prompt) : { words: '' };
  const plan = {
    kind: 'edit' as const,
    base: base.id,
    mask: gateway.files.putInput(mask),
    width: base.width,
    height: base.height,
    seed: randomInt(0, 2 ** 32),
    words,
  };
  const asked = request.prompt ?? '';
  const task = newTask(gateway, c, { action: 'EDIT', prompt: asked, mode: 'fast', plan, hookUrl: request.hookUrl });
  const { id, createdAt: at } = task;
  commit(
    gateway,
    task,
    { at, id, kind: 'edit', model: base.model, prompt: asked, nano: gateway.settings.imageNano },
    keysFor,
  );
  return id;
}

function newTask(
  gateway: Gateway,
  c: RequestContext,
  task: Pick<ImageTask, 'action' | 'prompt' | 'mode' | 'plan' | 'hookUrl'>,
): ImageTask {
  const fault = c.get('fault');
  const now = gateway.clock.now();
  const latency = task.action === 'EDIT' ? EDIT_LATENCY_MS : LATENCY_MS[task.mode];
  return {
    ...task,
    id: newTaskId(),
    createdAt: now,
    dueAt: now + scaledLatency(gateway.settings, latency) * (fault?.kind === 'slow' ? fault.factor : 1),
    state: 'running',
    ...(fault?.kind === 'filtered' && { failure: 'The image was withheld by the content filter.' }),
    ...(fault?.kind === 'failure' && { failure: fault.message ?? 'The image could not be generated.' }),
    ...(fault?.kind === 'hook' && { hook: { what: fault.what, ms: fault.ms } }),
  };
}

/** The specification has no price for images: without a sandbox price, the entry only records that the work was accepted. */
function commit(gateway: Gateway, task: ImageTask, entry: BillEntry, keysFor: (ref: string) => KeyRecord[]): void {
  gateway.state.commit({ images: [task], bill: task.failure ? [] : [entry], keys: keysFor(task.id) });
}

function basePicture(gateway: Gateway, jobId: string): MediaRecord {
  const task = gateway.state.images.get(jobId);
  if (!task) throw invalid('jobId', 'must be the id of an earlier image task', 'not_found');
  const record = task.mediaId ? gateway.state.media.get(task.mediaId) : undefined;
  if (task.state !== 'done' || !record) throw invalid('jobId', 'must be a task that has succeeded');
  if (record.expiresAt <= gateway.clock.now())
    throw new ApiError(410, 'jobId: its picture has expired', { param: 'jobId' });
  return record;
}

async function checkMask(text: string, base: MediaRecord): Promise<Buffer> {
  if (text.startsWith('data:')) throw invalid('mask', 'must be base64 without a data: prefix');
  if (!/^[A-Za-z0-9+/\s]+(=[=\s]*)?$/.test(text)) throw invalid('mask', 'must be base64 of a PNG');
  const bytes = Buffer.from(text, 'base64');
  const mask = await inspectMask(bytes, base);
  if (!mask) throw invalid('mask', 'must be base64 of a PNG');
  if (mask.width !== base.width || mask.height !== base.height) {
    throw invalid(
      'mask',
      `must have the picture's size, ${base.width} × ${base.height}; it is ${mask.width} × ${mask.height}`,
    );
  }
  if (!mask.isPure)
    throw invalid('mask', 'must be pure black (0,0,0) and white (255,255,255), without grey and without transparency');
  return bytes;
}
