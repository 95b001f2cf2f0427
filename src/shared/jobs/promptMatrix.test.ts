import { expect, it } from 'vitest';
import { escapeChoice, escapePrompt, expandMatrix, expandPrompt } from './promptMatrix.ts';

const promptsOf = (text: string): string[] => {
  const expanded = expandPrompt(text);
  if (!expanded.ok) throw new Error(expanded.error.message);
  return expanded.data;
};

it.each<[string, string[]]>([
  ['a plain text', ['a plain text']],
  ['', ['']],
  ['{a|b|c}', ['a', 'b', 'c']],
  ['{rain|fog}, {x|y} lamps', ['rain, x lamps', 'rain, y lamps', 'fog, x lamps', 'fog, y lamps']],
  ['{a|b {1|2}}!', ['a!', 'b 1!', 'b 2!']],
  ['{{a|b}|c}', ['a', 'b', 'c']],
  ['{a|}x', ['ax', 'x']],
  ['{|}', ['', '']],
  ['{a|a}', ['a', 'a']],
])('makes every prompt of %s, the first brace slowest', (text, prompts) => {
  expect(promptsOf(text)).toEqual(prompts);
});

it.each<[string, string[]]>([
  [String.raw`\{a|b\}`, ['{a|b}']],
  [String.raw`{a\|b|c}`, ['a|b', 'c']],
  [String.raw`{\{|\}}`, ['{', '}']],
  [String.raw`a\\{b|c}`, [String.raw`a\b`, String.raw`a\c`]],
  [String.raw`C:\new \n`, [String.raw`C:\new \n`]],
  ['ends with \\', ['ends with \\']],
  ['{a|b', ['{a|b']],
  ['a}b|c', ['a}b|c']],
  ['{a|{b|c}', ['{a|b', '{a|c']],
  ['{a|b}}', ['a}', 'b}']],
  ['{"x": 1}', ['{"x": 1}']],
  ['{a {b} c|d}', ['a {b} c', 'd']],
  ['a | b', ['a | b']],
])('leaves what is no choice in %s', (text, prompts) => {
  expect(promptsOf(text)).toEqual(prompts);
});

it('refuses too many with their number, before any is made', () => {
  const refused = (text: string) => {
    const { error } = expandPrompt(text) as { error: { message: string } };
    return error.message;
  };
  expect(promptsOf('{0|1|2|3|4|5|6|7|8|9}'.repeat(3))).toHaveLength(1_000);
  expect(refused('{0|1}'.repeat(10))).toBe('text: makes 1,024 prompts; at most 1,000 are made of one text.');
  expect(refused('{0|1}'.repeat(20_000))).toContain('makes more than 9,007,199,254,740,991 prompts');
  expect(refused(`{0|1}{0|1}{0|1}${'x'.repeat(300_000)}`)).toContain('makes prompts of 2,400,024 characters together');
});

it('is as deep as a text can be', () => {
  expect(promptsOf('{'.repeat(100_000))).toEqual(['{'.repeat(100_000)]);
  expect(promptsOf(`${'{a|'.repeat(900)}b${'}'.repeat(900)}`)).toHaveLength(901);
  expect(expandPrompt('{a|'.repeat(30_000) + '}'.repeat(30_000)).ok).toBe(false);
});

it.each(['a lamp', '{a|b}', String.raw`\{x\}`, String.raw`C:\new {a|b} \n`, 'a|b', '{"x": 1}'])(
  'a prompt that is recalled stands for itself: %s',
  (prompt) => expect(promptsOf(escapePrompt(prompt))).toEqual([prompt]),
);

it.each<[string, string[]]>([
  ['a plain text', []],
  ['{rain|fog}, {x|y} lamps', ['rain|fog', 'x|y']],
  ['{a|b {1|2}}{c|}', ['a|b 1|b 2', 'c|']],
])('the prompts of %s are the product of its axes', (text, axes) => {
  const members = axes.map((axis) => axis.split('|'));
  expect(expandMatrix(text)).toMatchObject({ ok: true, data: { axes: members } });
  expect(promptsOf(text)).toHaveLength(members.reduce((product, { length }) => product * length, 1));
});

it.each(['a lamp', '{a|b}', 'a|b', 'ends with \\', String.raw`\{`])('as a member of a choice, %s is itself', (words) =>
  expect(promptsOf(`{${escapeChoice(words)}|x}`)).toEqual([words, 'x']),
);
