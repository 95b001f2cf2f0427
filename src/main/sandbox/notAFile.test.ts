import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readFlags } from './flags.ts';
import { startSandbox } from './sandbox.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-pipe-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a named pipe or a device as fault file is refused at once, in one sentence', () => {
  const pipe = join(folder, 'faults');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', folder]) {
    expect(readFlags(['--faults', path])).toMatchObject({
      ok: false,
      message: expect.stringContaining('must be a file'),
    });
  }
});

it('a named pipe in place of the journal prevents the start, with one sentence', async () => {
  execFileSync('mkfifo', [join(folder, 'journal.jsonl')]);
  await expect(startSandbox({ speed: 'fast', stateDir: folder })).rejects.toThrow('journal.jsonl is not a file');
});
