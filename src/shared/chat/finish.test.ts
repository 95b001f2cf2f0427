import { expect, test } from 'vitest';
import { incompleteReason } from './finish.ts';

test.each([
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['max-output-tokens', 'length'],
  ['content_filter', 'filter'],
  ['contentFiltered', 'filter'],
  ['SAFETY', 'filter'],
  ['guardrail_intervened', 'filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'filter'],
  ['IMAGE_RECITATION', 'filter'],
  ['insufficient_system_resource', 'failure'],
  ['network_error', 'failure'],
  ['abort', 'failure'],
  ['MALFORMED_FUNCTION_CALL', 'failure'],
  ['UNEXPECTED_TOOL_CALL', 'failure'],
  ['content_filter: PROHIBITED_CONTENT', 'filter'],
  ['function_call_filter: MALFORMED_FUNCTION_CALL', 'failure'],
  ['stop: content_filter', undefined],
  ['stop', undefined],
  ['tool_calls', undefined],
  ['end_turn', undefined],
  ['', undefined],
  [undefined, undefined],
])('an answer that ended with %j was cut by %s', (reason, cut) => {
  expect(incompleteReason(reason)).toBe(cut);
});
