import { expect, test } from 'vitest';
import { cutOf } from './finish.ts';

test.each([
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['max-output-tokens', 'length'],
  ['content_filter', 'filter'],
  ['contentFiltered', 'filter'],
  ['SAFETY', 'filter'],
  ['guardrail_intervened', 'filter'],
  ['insufficient_system_resource', 'failure'],
  ['network_error', 'failure'],
  ['stop', undefined],
  ['tool_calls', undefined],
  ['end_turn', undefined],
  ['', undefined],
  [undefined, undefined],
])('an answer that ended with %j was cut by %s', (reason, cut) => {
  expect(cutOf(reason)).toBe(cut);
});
