import { expect, test } from 'vitest';
import { createToolCallAssembly } from './toolCalls.ts';

test('behind an object a sign that is no white space of JSON leaves none', () => {
  const calls = (behind: string) => {
    const assembly = createToolCallAssembly();
    const add = (name: string, args: string) =>
      assembly.push([{ index: 0, function: { name, arguments: args } }], (text) => text);
    add('draft_shots', '{}');
    add('draft_shots', '{}');
    add('', behind);
    add('read_board', '{}');
    return assembly.result().length;
  };
  for (const space of [' ', '\t', '\n', '\r']) expect(calls(space)).toBe(2);
  for (const other of ['\0', '\v', '\f', 'x']) expect(calls(other)).toBe(1);
});
