import { expect, test } from 'vitest';
import { type DependentShot, until } from './modelCalls.ts';

const shot = (more: Partial<DependentShot>): DependentShot => ({
  projectId: 'p',
  project: 'Film',
  shotId: 's',
  number: 1,
  title: 'Pier',
  jobId: 'j',
  take: 1,
  output: 0,
  clip: { id: 'a', mime: 'video/mp4', state: 'local' },
  model: 'm',
  isGone: false,
  ...more,
});

test.each([
  ['the model, where the clip stays', {}, 900, { until: 900, endedBy: 'model' }],
  [
    'the model, where the clip outlives it',
    { until: 950, endedBy: 'source' as const },
    900,
    { until: 900, endedBy: 'model' },
  ],
  [
    'the source, where that goes first',
    { until: 500, endedBy: 'source' as const },
    900,
    { until: 500, endedBy: 'source' },
  ],
  ['the source alone', { until: 500, endedBy: 'source' as const }, undefined, { until: 500, endedBy: 'source' }],
  [
    'the source, where no end of the model is planned',
    { until: 500, endedBy: 'source' as const },
    null,
    { until: 500 },
  ],
])('ends by %s', (_name, more, endsAt, expected) => {
  expect(until(shot(more), endsAt)).toMatchObject(expected);
});

test('nothing is said where nothing is known', () => {
  const open = until(shot({ sourceUnknown: true }), undefined);
  expect(open).not.toHaveProperty('until');
  expect(open).toMatchObject({ sourceUnknown: true });
});
