import { expect, test } from 'vitest';
import { profileSchema } from '../gateway/profile.ts';
import { requestSchema } from '../kinds/index.ts';
import { DEFAULT_PRICES, PRO_VIDEO_NANO, STANDARD_VIDEO_NANO } from '../money/price.ts';
import { cheaperModels } from './cheaperModels.ts';

const models = [
  { id: 'video-standard', kind: 'video' },
  { id: 'video-pro', kind: 'video' },
  { id: 'video-draft', kind: 'video' },
  { id: 'language', kind: 'chat' },
];
const draft = { kind: 'video', model: 'video-draft', readings: [{ unit: 'second', nano: 1_000 }] };
const { prices, limits, ...profile } = profileSchema.parse({
  ...{ name: 'P', baseUrl: 'http://127.0.0.1:1' },
  models,
  prices: [...DEFAULT_PRICES, { ...draft, settledReading: null }],
});
const money = { estimateNano: PRO_VIDEO_NANO * 4, estimateLowNano: PRO_VIDEO_NANO, reservedNano: 0 };
const waiting = (request: object, more: object = {}) => ({
  request: requestSchema.parse({ kind: 'video', model: 'video-pro', prompt: 'A quay', ...request }),
  money: { ...money, chargedNano: 0, chargedLowNano: 0, uncertainNano: 0 },
  ...more,
});
const config = { durationSeconds: 4 };
const choices = (request: object, more?: object) =>
  cheaperModels(waiting(request, more), { ...profile, prices, limits });

test('a request can be made by every cheaper model of its kind, at the price of its own length, the cheapest first', () => {
  const referenceImages = [{ assetId: 'a' }, { assetId: 'b' }];
  const found = choices({ config: { ...config, seed: 7 }, referenceImages });
  expect(found.map(({ model, nano, lowNano }) => [model, nano, lowNano])).toEqual([
    ['video-draft', 4_000, 4_000],
    ['video-standard', 4 * STANDARD_VIDEO_NANO, STANDARD_VIDEO_NANO],
  ]);
  const same = { kind: 'video', prompt: 'A quay', config: { ...config, seed: 7 }, referenceImages };
  expect(found.map(({ request }) => request)).toEqual([
    { ...same, model: 'video-draft' },
    { ...same, model: 'video-standard' },
  ]);
});

const known = waiting({}).money;

test.each([
  ['the cheapest one is chosen', { model: 'video-draft', config }, { money: { ...known, estimateNano: 4_000 } }],
  ['a clip is extended, which only its own model can', { video: { jobId: 'c' }, config: { durationSeconds: 7 } }, {}],
  ['it was sent before', { config }, { sentAt: 1 }],
  ['its price is not known', { config }, { money: { ...known, unpriced: true } }],
])('there is none where %s', (_, request, more) => {
  expect(choices(request, more)).toEqual([]);
});

test('a picture has no model to choose, and a message is edited in its conversation', () => {
  const imagine = { ...waiting({}), request: requestSchema.parse({ kind: 'imagine', prompt: 'A quay' }) };
  const messages = [{ role: 'user', content: 'A quay' }];
  const chat = { ...waiting({}), request: requestSchema.parse({ kind: 'chat', model: 'language', messages }) };
  const at = { ...profile, prices, limits };
  expect([cheaperModels(imagine, at), cheaperModels(chat, at)]).toEqual([[], []]);
});
