import { expect, it } from 'vitest';
import { tooDeepAt } from './depth.ts';

/** Objects and lists, alternating. */
function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { properties: value } : [value];
  return value;
}

it('names the field that nests too deep, whatever the depth is', () => {
  for (const levels of [6_000, 200_000])
    expect(tooDeepAt({ requests: [{ kind: 'chat', tools: [nested(levels)] }] })).toBe('requests.0.tools');
  expect(tooDeepAt(nested(100))).toBeUndefined();
  expect(tooDeepAt(nested(101))).toBeDefined();
});
