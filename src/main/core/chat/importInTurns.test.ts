import { cpSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { databaseFile } from '../store/index.ts';
import { threadPieces, WorkerLimitExceeded } from '../workers/index.ts';
import { chatInThread } from './conversationFiles.ts';

/** An untrusted chat is parsed in a thread and written in turns: the program answers meanwhile, and a partial chat is never visible. */

const openStudio = studiosOfThisFile();

const chat = (messages: number): string =>
  JSON.stringify({
    ...{ dailies: 'chat', form: 1, title: 'Harbour', createdAt: 5, active: 'b1' },
    branches: [{ id: 'b1', createdAt: 5 }],
    messages: Array.from({ length: messages }, (_, at) => ({
      ...{ id: `m${at}`, branch: 'b1', role: 'user', text: `lighthouse ${at}`, createdAt: 5 },
      ...(at === 0 ? {} : { after: `m${at - 1}` }),
    })),
  });

const messagesIn = (dataDir: string): number => {
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const count = db.prepare('SELECT count(*) FROM messages').pluck().get() as number;
  db.close();
  return count;
};

test('other calls are answered while a chat comes in', async () => {
  const { ask } = await openStudio();
  const answered: string[] = [];
  const imported = ask('chat.import', { json: chat(300) }).then(() => answered.push('import'));
  await ask('projects.list');
  answered.push('list');
  await imported;
  expect(answered).toEqual(['list', 'import']);
  expect((await ask('search.all', { text: 'lighthouse' })).hits.length).toBeGreaterThan(0);
});

test('what a kill leaves of a chat is not seen and is taken out by the next start', async () => {
  const studio = await openStudio();
  const copy = path.join(tempDir('killed'), 'data');
  const imported = studio.ask('chat.import', { json: chat(2_000) });
  await expect.poll(() => messagesIn(studio.dataDir)).toBeGreaterThan(0);
  cpSync(studio.dataDir, copy, { recursive: true });
  expect((await studio.ask('chat.list', {})).total).toBe(0);
  expect((await studio.ask('search.all', { text: 'lighthouse' })).hits).toEqual([]);
  await imported;
  expect((await studio.ask('chat.list', {})).total).toBe(1);
  expect(messagesIn(copy)).toBeGreaterThan(0);
  const next = await openStudio({ dataDir: copy });
  await expect.poll(() => messagesIn(copy)).toBe(0);
  expect((await next.ask('chat.list', {})).total).toBe(0);
});

test('one document is read at a time', async () => {
  const read: number[] = [];
  const reading = (at: number) => chatInThread(chat(300)).then(() => read.push(at));
  await Promise.all([reading(1), reading(2), reading(3)]);
  expect(read).toEqual([1, 2, 3]);
});

test('a thread that a file has ended is refused, and the next file is read', async () => {
  const program = { from: import.meta.url, source: './chatFileWorker.ts', bundled: 'chat-file.js' };
  await expect(threadPieces(program, null).next()).rejects.toBeInstanceOf(WorkerLimitExceeded);
  expect(await chatInThread(chat(2))).toMatchObject({ ok: true, data: { messages: [{ id: 'm0' }, { id: 'm1' }] } });
});
