import { expect, test } from 'vitest';
import { clipsIn } from './links.ts';

const CLIP = 'https://cdn.example/a.mp4?sign=x';

test.each([
  ['a signature that ends in the signs of emphasis', `Done: ${CLIP}_ and more`, `${CLIP}_`],
  ['a star at its end', `${CLIP}*`, `${CLIP}*`],
  ['emphasis around it', `_${CLIP}_`, CLIP],
  ['emphasis around its line', `**Your video: ${CLIP}.**`, CLIP],
  ['two kinds of emphasis and a full stop', `**_${CLIP}_**.`, CLIP],
  ['bold text over two lines', `**Your video is ready:\n${CLIP}**`, CLIP],
  ['emphasis over two lines', `_Your video:\n${CLIP}_`, CLIP],
  ['bold text that begins beside a word', `Video**${CLIP}**`, CLIP],
  ['bold text around its own sign', `**${CLIP}_**`, `${CLIP}_`],
  ['emphasis that has ended before', `_Note:_ ${CLIP}_`, `${CLIP}_`],
  ['emphasis of an earlier paragraph', `_ready\n\n${CLIP}_`, `${CLIP}_`],
  ['a name with the sign before it', `video_1 is ${CLIP}_`, `${CLIP}_`],
])('a link in words keeps what is its own: %s', (_name, text, uri) => {
  expect(clipsIn(text)).toEqual([uri]);
});
