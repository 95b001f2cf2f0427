import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/helpers/testPorts.ts';
import type { Terminal } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { runCommand } from './run.ts';

const silent: Terminal = { isInteractive: false, say: () => undefined, ask: async () => '' };
const run = (...argv: string[]) => runCommand(argv, silent);
const messageOf = async (...argv: string[]) => {
  const { result, code } = await run(...argv);
  return [code, result.ok ? '' : result.error.message];
};

describe('a wrong command line names what is wrong and how it is right, before anything is asked', () => {
  test.each([
    [['nothing'], /There is no command nothing/],
    [['status', '--loud'], /Unknown option '--loud'.* Usage: dailies status/],
    [['status', 'more'], /one argument too many/],
    [['batch'], /FILE is missing/],
    [['batch', 'a.csv', '--night', '--night'], /--night is given twice/],
    [['batch', 'a.csv', '--max'], /--max/],
    [['batch', 'a.csv', '--max', '12,50'], /--max must be an amount of dollars/],
    [['batch', 'a.csv', '--yes', '--max', '3'], /--yes or --max, not both/],
    [['batch', 'a.csv', '--format', 'xml'], /--format must be one of csv, jsonl, lines/],
    [['report', '--night', 'yesterday'], /--night must be a day such as/],
    [['export', 'Film', '--to', '/tmp/x'], /--format must be one of/],
    [['export', 'Film', '--format', 'mp4'], /--to must name a folder/],
    [['completion', 'tcsh'], /SHELL must be one of bash, zsh, fish/],
  ])('%j', async (argv, message) => {
    const { code, result, json } = await run(...argv);
    expect([code, json]).toEqual([EXIT.usage, false]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringMatching(message) },
    });
  });
});

test('where no studio is, the folder is named; a file that is not there is no question of the studio', async () => {
  const folder = tempDir('cli');
  expect(await messageOf('status', '--data-dir', folder)).toEqual([EXIT.noStudio, expect.stringContaining(folder)]);
  expect(await messageOf('status', '--data-dir', join(folder, 'none'))).toEqual([EXIT.noStudio, expect.any(String)]);
  expect(await messageOf('batch', join(folder, 'none.csv'))).toEqual([
    EXIT.usage,
    expect.stringContaining('no such file'),
  ]);
  expect((await run('status', '--json', '--data-dir', folder)).json).toBe(true);
});

test('a file that is not Unicode is not read by a guess: the encoding is named, and taken once it is given', async () => {
  const folder = tempDir('cli');
  const file = join(folder, 'jobs.txt');
  // "Маяк в сумерках" in Windows-1251.
  writeFileSync(file, Buffer.from('cce0ffea20e220f1f3ece5f0eae0f5', 'hex'));
  const given = ['batch', file, '--data-dir', folder];
  expect(await messageOf(...given)).toEqual([EXIT.usage, expect.stringContaining('--encoding windows-1251')]);
  expect(await messageOf(...given, '--encoding', 'latin')).toEqual([EXIT.usage, expect.stringContaining('gb18030')]);
  expect((await run(...given, '--encoding', 'windows-1251')).code).toBe(EXIT.noStudio);
});

test('help is an answer, of one command and of all', async () => {
  expect((await run('--help')).code).toBe(EXIT.ok);
  expect((await run('batch', '--help')).lines.join('\n')).toContain('--max DOLLARS');
});

describe('completion', () => {
  const scriptOf = async (shell: string) => (await run('completion', shell)).lines.join('\n');

  test('bash completes commands, options and their words', async () => {
    const script = await scriptOf('bash');
    const complete = (...words: string[]) => {
      const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
      const { stdout } = spawnSync('bash', ['-c', `${script}\n${set}\n_dailies\nprintf '%s\\n' "\${COMPREPLY[@]}"`]);
      return stdout.toString().trim().split('\n');
    };
    expect(complete('dailies', 'st')).toEqual(['status']);
    expect(complete('dailies', 'export', '--fo')).toEqual(['--format']);
    expect(complete('dailies', 'export', '--format', 'fc')).toEqual(['fcpxml']);
    expect(complete('dailies', 'completion', 'z')).toEqual(['zsh']);
  });

  test.each(['zsh', 'fish'])('%s knows every command and its options', async (shell) => {
    const script = await scriptOf(shell);
    for (const word of ['status', 'batch', 'report', 'export', 'quote', 'request-key', 'fcpxml'])
      expect(script).toContain(word);
  });
});
