import { expect, test } from 'vitest';
import { echoOf, withoutEcho } from './echo.ts';

const TEXT = 'Okay, the user wants two shots.\nWhat is missing on the board?';
const inJson = (value: unknown): string => JSON.stringify(value);

test.each([
  ['as it is', `Refused: ${TEXT} (1)`],
  ['in JSON', inJson({ input: TEXT })],
  ['in JSON, twice', inJson([{ input: TEXT }, { input: TEXT }])],
  ['in JSON that a gateway passes on', inJson({ message: `litellm: ${inJson({ input: TEXT })}` })],
])('a text of several lines that is repeated %s is taken off whole', (_name, message) => {
  expect(withoutEcho(message, [TEXT])).not.toMatch(/missing|board/);
});

test('an address of the request is known again, whatever stands before it', () => {
  expect(echoOf(['As in _https://pictures.example/a.png and see:https://pictures.example/b.png.']).addresses).toEqual([
    'https://pictures.example/a.png',
    'https://pictures.example/b.png',
  ]);
});

test('an address of the request is known again without the emphasis around it', () => {
  const { has } = echoOf(['As in _https://pictures.example/a.png_ and **https://pictures.example/b.png**.']);
  expect(['https://pictures.example/a.png', 'https://pictures.example/b.png'].map(has)).toEqual([true, true]);
});
