import { describe, expect, test } from 'vitest';
import { readiness } from '../jobs/readiness.ts';
import type { StudioRequest } from '../kinds/index.ts';
import { factsOf, type ModelFacts, modelLimits } from './modelFacts.ts';

const DAY = Date.UTC(2026, 11, 1);
const picture = { uri: 'https://gateway.example/a.png' };
const ready = () => ({ status: 'ready', type: 'unknown', remoteUri: true }) as const;
const video = { kind: 'video', model: 'video-next', prompt: 'A quay' } as const;

const reasons = (request: object, facts: ModelFacts, now = DAY - 1) =>
  readiness(request as StudioRequest, ready, { contextTokens: 1_000, facts, now }).map(
    ({ field, message }) => `${field}: ${message}`,
  );

describe('what a model does not take is a reason that names the model and the rule', () => {
  const config = (of: object) => ({ config: of });
  test.each<[object, ModelFacts, string, string]>([
    [{ image: picture }, { first: false }, 'image', 'Not possible with video-next: First frame'],
    [
      { image: picture, lastFrame: picture },
      { first: true, last: false },
      'lastFrame',
      'Not possible with video-next: Last frame',
    ],
    [
      { referenceImages: Array(3).fill(picture) },
      { references: 2 },
      'referenceImages',
      'Not possible with video-next: 3 references',
    ],
    [{ referenceImages: [picture] }, { references: 0 }, 'referenceImages', 'Not possible with video-next: 1 reference'],
    [{ video: picture }, { extend: false }, 'video', 'Not possible with video-next: Extend'],
    [config({ generateAudio: true }), { sound: false }, 'config.generateAudio', 'Not possible with video-next: Sound'],
    [
      config({ durationSeconds: 8 }),
      { seconds: [5, 10] },
      ...(['config.durationSeconds', 'video-next makes clips of 5 or 10 s, not of 8 s'] as const),
    ],
    [
      config({ resolution: '1080p' }),
      { sizes: ['480p', '720p'] },
      ...(['config.resolution', 'video-next makes 480p or 720p, not 1080p'] as const),
    ],
  ])('%j under %j', (request, facts, field, rule) => {
    expect(reasons({ ...video, ...request }, facts)).toEqual([`${field}: ${rule}.`]);
    // An unknown fact blocks nothing.
    expect(reasons({ ...video, ...request }, {})).toEqual([]);
  });

  test.each<[string, object, ModelFacts]>([
    ['as many references as it takes', { referenceImages: [picture] }, { references: 1 }],
    ['sound that is not wanted', config({ generateAudio: false }), { sound: false }],
    ['the length of an extension', { video: picture, ...config({ durationSeconds: 7 }) }, { seconds: [4] }],
    ['sizes in pixels, which say nothing of lines', config({ resolution: '720p' }), { sizes: ['1280x720'] }],
    ['a length that it makes', config({ durationSeconds: 4 }), { seconds: [4, 6, 8] }],
  ])('not %s', (_name, request, facts) => expect(reasons({ ...video, ...request }, facts)).toEqual([]));

  test('tools, and a conversation longer than the model reads', () => {
    const chat = { kind: 'chat', model: 'small', messages: [{ role: 'user', content: 'word '.repeat(400) }] };
    expect(reasons({ ...chat, tools: [{}] }, { tools: false })).toEqual([
      'tools: the model small takes no tools; switch the director off, or choose another.',
    ]);
    expect(reasons(chat, { tools: false })).toEqual([]);
    const profile = {
      models: [],
      stated: { small: { facts: { contextTokens: 100 }, by: {} } },
      limits: { contextTokens: 1_000 },
    };
    const limits = modelLimits(profile, 'small', 0);
    expect(limits.contextTokens).toBe(100);
    expect(modelLimits(profile, 'other', 0).contextTokens).toBe(1_000);
    expect(readiness(chat as StudioRequest, ready, limits)).toMatchObject([{ field: 'messages' }]);
  });
});

test('a model ends at its moment, and makes nothing from then on', () => {
  const ends = { endsAt: DAY };
  expect(reasons(video, ends, DAY - 1)).toEqual([]);
  expect(reasons(video, ends, DAY)).toEqual(['model: the model video-next ended on 1 Dec 2026; choose another model.']);
  expect(reasons({ kind: 'imagine', prompt: 'x' }, ends, DAY)).toEqual([]);
  expect(reasons(video, { endsAt: null }, DAY)).toEqual([]);
});

test('what was set by hand stands over what the gateway states, also where it is “no” and “none”', () => {
  const stated = { m: { facts: { last: true, references: 3, endsAt: DAY, sound: true }, by: {} } };
  expect(factsOf({ models: [{ id: 'm', last: false, references: 0, endsAt: null }], stated }, 'm')).toEqual({
    last: false,
    references: 0,
    endsAt: null,
    sound: true,
  });
  expect(factsOf({ models: [], stated }, 'toString')).toEqual({});
  expect(factsOf({ models: [{ id: 'm' }] }, 'm')).toEqual({});
});
