import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { testPng } from '../../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { chatAnswer, servicesOfThisFile } from '../../../../test/helpers/wireServices.ts';
import type { ChatFile } from '../../../shared/chat/chatFile.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import { databaseFile } from '../store/index.ts';

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

/** A studio with a gateway that answers every chat and records the requests. */
async function studioWithEyes(pictures: boolean | 'unknown' = true) {
  const service = await startService(() => chatAnswer('A quay.', USAGE));
  const { baseUrl } = service;
  const received = () => service.bodies().map((body) => (JSON.parse(body) as { messages: object[] }).messages);
  const models = [{ id: 'language', kind: 'chat' as const, ...(pictures === 'unknown' ? {} : { pictures }) }];
  const sandbox = { ...profileSchema.parse({ baseUrl, models }), id: 'sandbox', name: 'Sandbox' };
  const one = await openStudio({ sandbox });
  const bring = (side: number) => one.upload(`${side}.png`, testPng(side, 16));
  const { conversationId } = await one.ask('chat.create', { model: 'language' });
  const said = async (text: string, ids: string[]) => {
    const sent = await one.ask('chat.send', { conversationId, text, pictures: ids, stream: false });
    await expect.poll(async () => (await one.ask('jobs.get', { id: sent.jobId })).state).toBe('succeeded');
    return sent;
  };
  return { ...one, received, bring, said, conversationId };
}
const USAGE = { prompt_tokens: 1_500, completion_tokens: 3, total_tokens: 1_503 };

const urlOf = (side: number) => `data:image/png;base64,${Buffer.from(testPng(side, 16)).toString('base64')}`;

test('pictures go behind the words as parts, and again with each later message; an edit keeps them or takes others', async () => {
  const { ask, received, bring, said, conversationId } = await studioWithEyes();
  const [one, other] = [await bring(8), await bring(9)];
  await said('What is this?', [one.id, other.id]);
  const parts = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: urlOf(8) } },
    { type: 'image_url', image_url: { url: urlOf(9) } },
  ];
  expect(received()[0]).toEqual([{ role: 'user', content: parts }]);
  const { messages } = await ask('chat.get', { conversationId });
  expect(messages[0]).toMatchObject({ text: 'What is this?', pictures: [one.id, other.id] });
  await said('And now?', []);
  expect(received()[1]).toEqual([
    { role: 'user', content: parts },
    { role: 'assistant', content: 'A quay.' },
    { role: 'user', content: 'And now?' },
  ]);
  const edit = async (pictures?: string[]) => {
    const messageId = messages[0]?.id ?? '';
    const { jobId } = await ask('chat.edit', { conversationId, messageId, text: 'Where?', pictures, stream: false });
    await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('succeeded');
    return received().at(-1);
  };
  expect(await edit()).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Where?' }, ...parts.slice(1)] }]);
  expect(await edit([other.id])).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Where?' }, parts[2]] }]);
  expect(await edit([])).toEqual([{ role: 'user', content: 'Where?' }]);
});

test('what a picture may cost is reserved, and what the gateway counts is charged', async () => {
  const { ask, bring, said } = await studioWithEyes();
  const { id } = await bring(8);
  const { jobId } = await said('What is this?', [id]);
  const job = await ask('jobs.get', { id: jobId });
  expect(job.result?.usage).toMatchObject({ promptTokens: 1_500 });
  expect(job.money.estimateNano).toBeGreaterThan(job.money.chargedNano);
  expect(job.inputs).toMatchObject([{ field: 'messages.0.pictures.0', assetId: id }]);
});

test.each([
  [true, 'video/mp4', /must be a PNG, JPEG, WebP or GIF picture/],
  [false, 'image/png', /the model language takes no pictures; choose another model/],
  ['unknown', 'image/png', /it is not known whether the model language takes pictures/],
] as const)('a model that is known as %s is not shown %s', async (eyes, mime, sentence) => {
  const { call, ask, bring, received, conversationId } = await studioWithEyes(eyes);
  const { id } = mime === 'image/png' ? await bring(8) : await clip(ask);
  expect(await call('chat.send', { conversationId, text: 'This?', pictures: [id] })).toMatchObject({
    error: { code: 'invalid_input', message: expect.stringMatching(sentence) },
  });
  expect(received()).toEqual([]);
  expect((await ask('chat.get', { conversationId })).messages).toEqual([]);
});

/** A clip, refused for its type. */
const clip = (ask: Awaited<ReturnType<typeof openStudio>>['ask']) =>
  ask('library.import', { path: path.join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'sample', CLIP) });
const CLIP = 'shot-1-take-1.mp4';

test('more than eight, or one that does not exist, is refused by its field', async () => {
  const { call, bring, conversationId } = await studioWithEyes();
  const { id } = await bring(8);
  const send = (pictures: string[]) => call('chat.send', { conversationId, text: 'This?', pictures });
  expect(await send(Array.from({ length: 9 }, () => id))).toMatchObject({
    error: { message: 'pictures: must have at most 8 entries' },
  });
  expect(await send(['as_none'])).toMatchObject({
    error: { message: expect.stringMatching(/messages\.0\.pictures\.0: there is no such asset/) },
  });
});

test('more than 40 MB of pictures are refused before the message is taken; an edit of one without some goes', async () => {
  const { ask, call, dataDir, bring, said, received, conversationId } = await studioWithEyes();
  const [one, other] = [await bring(8), await bring(9)];
  const db = new Database(databaseFile(dataDir));
  db.prepare('UPDATE assets SET bytes = 30000000').run();
  db.close();
  await said('What is this?', [one.id]);
  const refusal = { code: 'invalid_input', message: expect.stringContaining('60 MB together, and 41.9 MB fit') };
  const more = { conversationId, text: 'And this?', pictures: [other.id] };
  expect(await call('chat.send', more)).toMatchObject({ ok: false, error: refusal });
  const { messages } = await ask('chat.get', { conversationId });
  expect([messages.length, received().length]).toEqual([2, 1]);
  await ask('chat.edit', { conversationId, messageId: messages[0]?.id ?? '', text: 'What?', pictures: [] });
  expect(await call('chat.send', more)).toMatchObject({ ok: true });
});

test('a picture of a chat stays in the bin, also where the chat is closed', async () => {
  const { ask, dataDir, bring, said, conversationId } = await studioWithEyes();
  const [shown, other] = [await bring(8), await bring(9)];
  await said('What is this?', [shown.id]);
  await ask('chat.remove', { conversationId });
  await ask('library.bin', { ids: [shown.id, other.id] });
  expect(await ask('library.emptyBin')).toMatchObject({ items: 1, kept: [{ reason: 'chat', count: 1 }] });
  const { sha256 } = shown;
  expect(existsSync(path.join(dataDir, 'library', sha256.slice(0, 2), `${sha256}.png`))).toBe(true);
});

test('a chat leaves with the names of its pictures, and finds those elsewhere whose bytes are there', async () => {
  const { ask, bring, said, conversationId } = await studioWithEyes();
  const [one, other] = [await bring(8), await bring(9)];
  await said('What is this?', [one.id, other.id]);
  const text = async (format: 'json' | 'markdown') => {
    const { id } = await ask('chat.export', { conversationId, format });
    await expect.poll(async () => (await ask('exports.get', { id })).state).toBe('done');
    const { folder, files } = await ask('exports.get', { id });
    return readFileSync(path.join(folder, files[0]?.name ?? ''), 'utf8');
  };
  expect(await text('markdown')).toContain('*Picture: 8.png*\n\n*Picture: 9.png*');
  const json = await text('json');
  expect((JSON.parse(json) as ChatFile).messages[0]?.pictures).toEqual([
    { name: '8.png', sha256: one.sha256 },
    { name: '9.png', sha256: other.sha256 },
  ]);
  const elsewhere = await studioWithEyes();
  const held = await elsewhere.bring(9);
  const came = await elsewhere.ask('chat.import', { json });
  const { messages } = await elsewhere.ask('chat.get', { conversationId: came.conversationId });
  expect(messages[0]).toMatchObject({
    text: 'What is this?\n\n[Picture: 8.png, not here]',
    pictures: [held.id],
  });
});
