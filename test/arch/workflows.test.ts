import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './tools.ts';
import { faultsOf } from './workflows.ts';

const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

test.each(readdirSync(folder))('%s is as a workflow should be', (name) => {
  expect(faultsOf(textOf(name), scripts)).toEqual([]);
});

describe('a workflow is refused', () => {
  const sound = textOf('checks.yml');
  const spoilt = (from: string | RegExp, to: string) => {
    const text = sound.replace(from, to);
    expect(text).not.toBe(sound);
    return faultsOf(text, scripts).join('\n');
  };
  test.each([
    ['with a key that is none', 'runs-on:', 'run-on:', /schema/],
    [
      'with an action that can change under it',
      /checkout@[0-9a-f]{40} # v[\d.]+/,
      'checkout@v7',
      /named by its commit/,
    ],
    ['with an action whose version nobody can read', / # v7\.0\.1/, '', /named by its commit/],
    ['that gives its rights to every job', 'permissions: {}', 'permissions: { contents: write }', /rights/],
    ['whose job does not say its rights', /\n {4}permissions:\n {6}contents: read/, '', /which rights/],
    ['that runs packages with the right to write', 'contents: read', 'contents: write', /right to write/],
    ['that leaves its key in the checkout', /\n {8}with:\n {10}persist-credentials: false/, '', /key behind/],
    ['that may run for hours', /\n {4}timeout-minutes: \d+/, '', /hours/],
    ['with text of an event in a script', 'run: npm ci', `run: echo $${'{{ github.head_ref }}'}`, /comes by env/],
    ['with a script that no shell can read', 'run: npm ci', 'run: if true', /syntax error/],
    ['with a command that is not there', 'package:try', 'package:tries', /no npm run package:tries/],
  ])('%s', (_, from, to, fault) => {
    expect(spoilt(from, to)).toMatch(fault);
  });
});
