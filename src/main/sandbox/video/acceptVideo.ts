import { randomInt } from 'node:crypto';
import { videoPrice } from '../bill.ts';
import { type Gateway, type RequestContext, renderedSize, scaledLatency } from '../context.ts';
import { ApiError, invalid } from '../errors.ts';
import type { FaultAction } from '../faults.ts';
import { newCompletionId, newOperationName } from '../ids.ts';
import { hashOf } from '../random.ts';
import type { KeyRecord, MediaRecord, VideoOperation, VideoPlan } from '../state/records.ts';
import { loadPicture, sourceVideo } from './sources.ts';
import { readVideoOptions, type VideoOptions } from './videoOptions.ts';

/** Demo latency; rendering takes additional time. */
const LATENCY_MS: Record<string, number> = { 'video-standard': 6_000, 'video-pro': 10_000 };
const FILTERED_WORDS = /\[filtered\]|\bforbidden\b/i;

/**
 * Validates a video request, decides its outcome, and commits operation, bill and key together. The filter judges the prompt, so the clips
 * and the charge (spec 8) are known here: accepted work is on the bill before the client is answered.
 */
export async function acceptVideo(
  gateway: Gateway,
  c: RequestContext,
  body: Record<string, unknown>,
  keysFor: (ref: string) => KeyRecord[],
): Promise<string> {
  const model = String(body.model);
  const prompt = promptOfVideo(body);
  const options = readVideoOptions(body, gateway.settings.vendor);
  const plan = await planVideo(gateway, options, model);
  checkRateLimit(gateway);
  const fault = c.get('fault');
  const now = gateway.clock.now();
  const samples = seedsOf(plan).map((seed, index) => ({
    seed,
    filtered: index < filteredCount(fault, prompt, plan.samples),
  }));
  const willFail = fault?.kind === 'failure';
  const slow = fault?.kind === 'slow' ? fault.factor : 1;
  const operation: VideoOperation = {
    id: gateway.settings.videoAnswer === 'immediate' ? newCompletionId() : newOperationName(),
    createdAt: now,
    dueAt: now + scaledLatency(gateway.settings, LATENCY_MS[model] ?? 0) * slow,
    model,
    prompt,
    plan: fault?.kind === 'defect' ? { ...plan, defects: fault.defects } : plan,
    samples,
    state: 'running',
    ...(willFail && { failure: fault.message ?? 'The model could not generate this video.' }),
  };
  const clips = samples.filter((sample) => !sample.filtered).length;
  const nano = videoPrice(model, plan, clips);
  const isBilled = !willFail && clips > 0;
  gateway.state.commit({
    videos: [operation],
    bill: isBilled ? [{ at: now, id: operation.id, kind: 'video', model, prompt, nano }] : [],
    keys: keysFor(operation.id),
  });
  return operation.id;
}

function promptOfVideo(body: Record<string, unknown>): string {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid('messages', 'must be a list with a user message');
  const text = messages.findLast((message) => message?.role === 'user')?.content;
  const words = Array.isArray(text) ? text.map((part) => part?.text ?? '').join(' ') : text;
  if (typeof words !== 'string' || !words.trim())
    throw invalid('messages', 'must have a user message with the prompt as text');
  return words;
}

async function planVideo(gateway: Gateway, options: VideoOptions, model: string): Promise<VideoPlan> {
  const source = options.video === undefined ? null : sourceVideo(gateway, options.video, model, 'video.uri');
  const load = (picture: NonNullable<VideoOptions['image']>) => loadPicture(gateway, picture.source, picture.field);
  return {
    ...sizeOf(gateway, options, source),
    seconds: options.seconds,
    audio: options.audio,
    seed: options.seed,
    samples: options.samples,
    ...(options.image && { image: await load(options.image) }),
    ...(options.lastFrame && { lastFrame: await load(options.lastFrame) }),
    references: await Promise.all(options.references.map(load)),
    ...(source && { video: source.id }),
  };
}

/** An extension keeps its source's size unless a resolution is requested, since the clips will be joined. */
function sizeOf(
  { settings }: Gateway,
  options: VideoOptions,
  source: MediaRecord | null,
): { width: number; height: number } {
  if (source) {
    const aspect = options.aspectRatio ?? aspectOf(source);
    if (aspect !== aspectOf(source))
      throw invalid('config.aspectRatio', `must be that of the source video, ${aspectOf(source)}`);
    if (!options.resolution) return { width: source.width, height: source.height };
  }
  const short = options.resolution === '1080p' ? 1080 : 720;
  const aspect = options.aspectRatio ?? (source ? aspectOf(source) : '16:9');
  if (aspect === '1:1') return renderedSize(settings, { width: short, height: short });
  const long = (short * 16) / 9;
  return renderedSize(settings, aspect === '16:9' ? { width: long, height: short } : { width: short, height: long });
}

function aspectOf({ width, height }: MediaRecord): '16:9' | '9:16' | '1:1' {
  if (width === height) return '1:1';
  return width > height ? '16:9' : '9:16';
}

function checkRateLimit(gateway: Gateway): void {
  if (gateway.settings.speed === 'fast') return;
  const waitMs = gateway.videoLimit.take(gateway.clock.now());
  if (waitMs > 0) {
    throw new ApiError(429, 'Rate limit reached for video generation: 10 requests per minute.', {
      code: 'rate_limit_exceeded',
      headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
    });
  }
}

/** Each clip gets its own seed, so that variations differ and each is repeatable (spec 2.3). */
function seedsOf(plan: VideoPlan): number[] {
  const base = plan.seed ?? randomInt(0, 2 ** 32);
  return Array.from({ length: plan.samples }, (_, index) => (index === 0 ? base : hashOf(`${base}/${index}`)));
}

function filteredCount(fault: FaultAction | null, prompt: string, samples: number): number {
  if (FILTERED_WORDS.test(prompt)) return samples;

  if (fault?.kind !== 'filtered') return 0;
  return fault.samples === undefined || fault.samples === 'all' ? samples : Math.min(fault.samples, samples);
}
