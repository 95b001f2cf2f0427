import { describe, expect, test } from 'vitest';
import { parseInput } from '../contract/result.ts';
import { readiness } from '../jobs/readiness.ts';
import type { MediaFacts, MediaRef } from '../library/mediaRef.ts';
import { requestSchema, type StudioRequest } from './index.ts';

const video = { kind: 'video', model: 'video-standard', prompt: 'A quay' };
const asset = { assetId: 'a1' };

const messageFor = (request: unknown): string => {
  const parsed = parseInput(requestSchema, request);
  return parsed.ok ? 'ok' : parsed.error.message;
};

describe('one clear sentence that names the field and the rule', () => {
  test.each([
    [{ ...video, config: { durationSeconds: 61 } }, 'config.durationSeconds: must be 1 to 60'],
    [{ ...video, video: asset, config: { durationSeconds: 8 } }, 'config.durationSeconds: must be 7 when extending'],
    [{ ...video, config: { seed: -1 } }, 'config.seed: must be at least 0'],
    [{ ...video, config: { seed: 2 ** 32 } }, 'config.seed: must be at most 4,294,967,295'],
    [{ ...video, config: { sampleCount: 5 } }, 'config.sampleCount: must be at most 4'],
    [{ ...video, config: { resolution: '4k' } }, "config.resolution: must be '720p' or '1080p'"],
    [{ ...video, config: { length: 4 } }, 'config.length: there is no such field here.'],
    [{ ...video, referenceImages: [asset, asset, asset, asset] }, 'referenceImages: must have at most 3 entries'],
    [{ ...video, referenceImages: [] }, 'referenceImages: needs at least one entry'],
    [{ ...video, lastFrame: asset }, 'lastFrame: needs a first frame in image'],
    [{ ...video, video: asset, image: asset }, 'video: cannot be combined with image, lastFrame or referenceImages'],
    [{ ...video, prompt: '  ' }, 'prompt: must not be empty'],
    [{ kind: 'imagine', prompt: 'x', mode: 'slow' }, "mode: must be 'fast', 'relax' or 'turbo'"],
    [{ kind: 'song' }, "kind: must be 'chat', 'video', 'imagine' or 'edit'"],
    [{ kind: 'chat', model: 'm', messages: [] }, 'messages: needs at least one entry'],
    [
      { kind: 'chat', model: 'm', messages: [{ role: 'bot', content: 'x' }] },
      "messages.0.role: must be 'system', 'user', 'assistant' or 'tool'",
    ],
  ])('%j', (request, sentence) => {
    expect(messageFor(request)).toBe(sentence);
  });

  test.each([
    { ...video, config: { durationSeconds: 8, seed: 4_294_967_295, sampleCount: 4, resolution: '1080p' } },
    { ...video, video: asset, config: { durationSeconds: 7 } },
    { ...video, image: asset, lastFrame: { jobId: 'j', frame: 'last' } },
    { ...video, referenceImages: [asset, { uri: 'gs://bucket/a.png' }, { jobId: 'j', output: 1 }] },
    { kind: 'imagine', prompt: 'x --v 7', mode: 'turbo' },
    { kind: 'edit', base: asset, mask: { assetId: 'm' } },
  ])('%j is well formed', (request) => {
    expect(messageFor(request)).toBe('ok');
  });
});

describe('readiness', () => {
  const picture: MediaFacts = { status: 'ready', type: 'image', width: 1456, height: 816 };
  const mask: MediaFacts = { ...picture, mime: 'image/png', pureMask: true, whitePixels: 9 };
  const none: MediaFacts = { status: 'missing', type: 'unknown' };
  const facts: Record<string, MediaFacts> = {
    base: { ...picture, imageTask: true },
    foreign: { ...picture, imageTask: false },
    third: { ...picture, imageTask: true, isOneOfSeveral: true },
    mask,
    small: { ...mask, width: 100, height: 100 },
    grey: { ...mask, pureMask: false },
    blank: { ...mask, whitePixels: 0 },
    photo: { ...picture, mime: 'image/jpeg' },
    clip: { status: 'ready', type: 'video', model: 'video-pro', remoteUri: true },
  };
  const first = (request: StudioRequest): string | undefined => {
    const lookUp = (ref: MediaRef) => facts['assetId' in ref ? ref.assetId : ''] ?? none;
    const [reason] = readiness(request, lookUp, { contextTokens: 1_000 });
    return reason && `${reason.field}: ${reason.message}`;
  };
  const edit = (base: string, mask: string): StudioRequest => ({
    kind: 'edit',
    base: { assetId: base },
    mask: { assetId: mask },
  });
  const shot = (extra: object): StudioRequest => ({ ...video, ...extra }) as StudioRequest;

  test.each([
    [edit('base', 'mask'), undefined],
    [edit('base', 'small'), "mask: must have the picture's size 1456 × 816, not 100 × 100."],
    [edit('base', 'grey'), 'mask: must be pure black and white, without greys or transparency.'],
    [edit('base', 'blank'), 'mask: must have something painted (white) to change.'],
    [edit('base', 'photo'), 'mask: must be a PNG.'],
    [edit('foreign', 'mask'), 'base: must be an image made by this gateway, since an edit names its task.'],
    [
      edit('third', 'mask'),
      'base: must be the only picture of its task, or the sheet of several, since an edit names the task alone.',
    ],
    [edit('gone', 'mask'), 'base: there is no such asset or job in the library.'],
    [
      shot({ video: { assetId: 'clip' } }),
      'video: was made by video-pro; only the same model can extend it (chosen: video-standard).',
    ],
    [shot({ model: 'video-pro', video: { assetId: 'clip' } }), undefined],
    [shot({ video: { assetId: 'base' } }), 'video: must be a video.'],
    [shot({ image: { assetId: 'clip' } }), 'image: must be a picture.'],
    [
      { kind: 'chat', model: 'm', messages: [{ role: 'user', content: 'word '.repeat(2_000) }] } as StudioRequest,
      'messages: must be shorter: about 1,504 tokens more than the 1,000 that fit.',
    ],
  ])('%j', (request, sentence) => {
    expect(first(request)).toBe(sentence);
  });

  test('the tools of a chat take room too', () => {
    const tools = [{ a: 'x'.repeat(4_000) }];
    expect(first({ kind: 'chat', model: 'm', messages: [{ role: 'user', content: 'A shot' }], tools })).toBe(
      'messages: must be shorter: about 9 tokens more than the 1,000 that fit.',
    );
  });
});
