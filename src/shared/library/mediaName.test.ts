import { expect, test } from 'vitest';
import { MEDIA_NAME_PATTERN } from '../film/filmExport.ts';
import { mediaNameOf } from './mediaName.ts';

test.each([
  [MEDIA_NAME_PATTERN, 'Last-Ferry_SH030_T02'],
  ['{project}_SH{0010}_T{2}', 'Last-Ferry_SH0030_T2'],
  ['SH{01}-{001}', 'SH03-002'],
  ['{1}', '3'],
  ['{title} {model} {seed}', 'Quay-at-dawn-video-standard-7'],
])('%s names %s', (pattern, name) => {
  const of = { project: 'Last Ferry', title: 'Quay at dawn', model: 'video-standard', seed: 7, shot: 3, take: 2 };
  expect(mediaNameOf(pattern, of)).toBe(name);
});
