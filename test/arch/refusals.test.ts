import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tools.ts';

test('a refusal is shown, and not only spoken', () => {
  const folder = join(root, 'src', 'renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const spoken = files.flatMap((name) =>
    callsOf('announce', readFileSync(join(folder, name), 'utf8'))
      .filter(saysMessage)
      .map((call) => `${name}: ${call}`),
  );
  expect(spoken).toEqual([]);
});

test('a message that is only spoken is found over several lines, and what merely looks like it is not', () => {
  const spoken = `
    announce(
      error instanceof Error ? say(error.message) : String(error),
      'assertive',
    );`;
  const fine = `
    announce(t\`\${counted(data.messages, 'message')} came in.\`); log(error.message);`;
  expect(callsOf('announce', spoken).some(saysMessage)).toBe(true);
  expect(callsOf('announce', fine).some(saysMessage)).toBe(false);
});

const saysMessage = (call: string) => /\.message\b/.test(call);

/** The calls of a function, each from its name to the parenthesis that closes it. */
function callsOf(name: string, text: string): string[] {
  const calls: string[] = [];
  const start = `${name}(`;
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, from + 1)) {
    let at = from + start.length;
    for (let open = 1; open > 0 && at < text.length; at += 1) {
      if (text[at] === '(') open += 1;
      if (text[at] === ')') open -= 1;
    }
    calls.push(text.slice(from, at));
  }
  return calls;
}
