import { appendFileSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import type { ChatRecord } from './records.ts';
import { State } from './state.ts';

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const fsyncSync: typeof fs.fsyncSync = (file) => {
    if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    fs.fsyncSync(file);
  };
  return { ...fs, fsyncSync };
});

const chat = (id: string) => ({ id, createdAt: 1 }) as ChatRecord;
const idsIn = (folder: string) => {
  const state = new State(folder, 2);
  state.close();
  return [...state.chats.keys()];
};

test.skipIf(!existsSync('/dev/full'))(
  'without room for a new journal it continues the old one, without its half-written line',
  () => {
    const folder = tempDir('journal');
    const before = new State(folder, 2);
    before.commit({ chats: [chat('one')] });
    before.close();
    appendFileSync(join(folder, 'journal.jsonl'), '{"chats":[{"id":"ha');
    symlinkSync('/dev/full', join(folder, 'journal.jsonl.part'));
    const state = new State(folder, 2);
    state.commit({ chats: [chat('two')] });
    state.close();
    expect(existsSync(join(folder, 'journal.jsonl.part'))).toBe(false);
    expect(idsIn(folder)).toEqual(['one', 'two']);
  },
);

test('a change that cannot be written leaves nothing behind', () => {
  const folder = tempDir('journal');
  const state = new State(folder, 2);
  disk.isFull = true;
  expect(() => state.commit({ chats: [chat('refused')] })).toThrow('no space');
  disk.isFull = false;
  state.commit({ chats: [chat('taken')] });
  state.close();
  expect(idsIn(folder)).toEqual(['taken']);
});
