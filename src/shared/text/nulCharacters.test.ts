import { expect, test } from 'vitest';
import { contract } from '../contract/contract.ts';
import { profileInputSchema } from '../gateway/profile.ts';
import { requestSchema } from '../kinds/index.ts';

/** Refuses paid requests without readable text, and names that nobody can see or click. */

const BLANK = [
  '',
  ' \n\t',
  '\u200b\u200b\u200b',
  '\u2060\ufeff',
  '\u202e\u2066\u2069',
  '\u0000',
  '\u3164',
  '\ufe0f',
  '\u00ad',
];
const READABLE = ['a', '\u200bа', '👩‍👩‍👧', '\u202eشعر', '.', '今'];

const accepts = (text: string): boolean[] => [
  requestSchema.safeParse({ kind: 'imagine', prompt: text }).success,
  requestSchema.safeParse({ kind: 'video', model: 'v', prompt: text }).success,
  contract['chat.send'].input.safeParse({ conversationId: 'c', text }).success,
  contract['projects.create'].input.safeParse({ name: text }).success,
  contract['projects.rename'].input.safeParse({ id: 'p', name: text }).success,
  profileInputSchema.safeParse({ name: text }).success,
];

test.each(BLANK)('%j is empty wherever a text or a name is required', (text) => {
  expect(accepts(text)).toEqual(accepts(text).map(() => false));
});

test.each(READABLE)('%j is words', (text) => {
  expect(accepts(text)).toEqual(accepts(text).map(() => true));
});
