import { expect, it } from 'vitest';
import { sentMessages } from './modelMessages.ts';

it.each([undefined, '', ' \n'])('a system prompt of no words (%j) is no message, on both sides', (system) => {
  const question = { role: 'user', content: 'Why?' };
  expect(sentMessages([], { system, said: 'Why?', hasTools: false })).toEqual([question]);
  expect(sentMessages([], { system: 'Be brief.', said: 'Why?', hasTools: false })).toHaveLength(2);
});
