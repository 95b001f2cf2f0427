import { describe, expect, test } from 'vitest';
import { quantityOfClips } from '../kinds/video.ts';
import type { OmittableField, VideoConfig } from '../kinds/videoConfig.ts';
import { type VideoDialect, videoBody } from './video.ts';

/** The whole configuration of spec 2.2 and 2.3 on the wire, in each dialect. */

const ALL: VideoConfig = {
  resolution: '1080p',
  durationSeconds: 8,
  fps: 24,
  aspectRatio: '16:9',
  generateAudio: true,
  numberOfVideos: 2,
  sampleCount: 2,
  seed: 7,
};

function optionsOf(config: VideoConfig, dialect: Partial<VideoDialect> = {}, more: object = {}) {
  const spelling = { vendor: 'acme', fieldCase: 'camel', seedPlacement: 'config', ...dialect } as const;
  const { body } = videoBody({ model: 'm', prompt: 'Sea', config, ...more }, spelling);
  return (body.extra_body as Record<string, Record<string, unknown>>).acme ?? {};
}

test('every field has its place', () => {
  expect(optionsOf(ALL)).toEqual({ config: ALL });
  const { seed, sampleCount, ...config } = ALL;
  expect(optionsOf(ALL, { seedPlacement: 'beside' })).toEqual({ config, seed, sampleCount });
  expect(optionsOf(ALL, { fieldCase: 'snake' }).config).toMatchObject({
    fps: 24,
    number_of_videos: 2,
    sample_count: 2,
  });
});

test('the number of candidates may have a place of its own', () => {
  const { seed, sampleCount, ...config } = ALL;
  expect(optionsOf(ALL, { samplePlacement: 'beside' })).toEqual({ config: { ...config, seed }, sampleCount });
  const beside = { seedPlacement: 'beside', samplePlacement: 'config' } as const;
  expect(optionsOf(ALL, beside)).toEqual({ config: { ...config, sampleCount }, seed });
});

test('each reference has its own type', () => {
  const uris = ['https://a/1.png', 'https://a/2.png', 'https://a/3.png'];
  const { referenceImages } = optionsOf({}, {}, { referenceImages: uris, referenceType: ['style', ''] });
  const types = (referenceImages as { referenceType: string }[]).map(({ referenceType }) => referenceType);
  expect(types).toEqual(['style', 'asset', 'asset']);
});

test.each([
  [undefined, 'asset'],
  ['style', 'style'],
])('references of the type %s are sent as %s', (referenceType, sent) => {
  const { referenceImages } = optionsOf({}, {}, { referenceImages: ['https://a/1.png'], referenceType });
  expect(referenceImages).toEqual([{ image: { uri: 'https://a/1.png' }, referenceType: sent }]);
});

describe('fields that a gateway does not take', () => {
  test.each(['resolution', 'fps', 'aspectRatio', 'generateAudio', 'seed'] as const)('%s is not sent', (field) => {
    const { [field]: _, ...rest } = ALL;
    expect(optionsOf(ALL, { omittedFields: [field] })).toEqual({ config: rest });
  });

  test('what is left out is told, and nothing that was not asked for', () => {
    const spelling = { vendor: 'acme', fieldCase: 'camel', seedPlacement: 'config' } as const;
    const config = { seed: 0, sampleCount: 2, resolution: '720p' } as const;
    const omitted = (...omittedFields: OmittableField[]) =>
      videoBody({ model: 'm', prompt: 'Sea', config }, { ...spelling, omittedFields }).omitted;
    expect(omitted('fps', 'seed', 'sampleCount')).toEqual(['seed']);
    expect(omitted()).toEqual([]);
  });

  test('the type of references is not sent', () => {
    const options = optionsOf({}, { omittedFields: ['referenceType'] }, { referenceImages: ['https://a/1.png'] });
    expect(options.referenceImages).toEqual([{ image: { uri: 'https://a/1.png' } }]);
  });
});

describe('the number of clips that is priced is the one that is sent', () => {
  const counts: [VideoConfig, OmittableField[], VideoConfig][] = [
    [{ sampleCount: 3 }, [], { sampleCount: 3 }],
    [{ numberOfVideos: 3 }, [], { numberOfVideos: 3 }],
    [{ sampleCount: 1, numberOfVideos: 4 }, [], { sampleCount: 4, numberOfVideos: 4 }],
    [{ sampleCount: 3 }, ['sampleCount'], { numberOfVideos: 3 }],
    [{ numberOfVideos: 3 }, ['numberOfVideos'], { sampleCount: 3 }],
    [{ sampleCount: 2, numberOfVideos: 3 }, ['sampleCount'], { numberOfVideos: 3 }],
  ];
  test.each(counts)('%j without %j', (config, omittedFields, sent) => {
    expect(optionsOf(config, { omittedFields })).toEqual({ config: sent });
    const [count] = Object.values(sent);
    const durationSeconds = 8;
    expect(quantityOfClips({ config: { ...config, durationSeconds } })).toEqual({
      videos: count,
      seconds: 8 * Number(count),
    });
  });
});
