import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { testPng } from '../../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { servicesOfThisFile } from '../../../../test/helpers/wireServices.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import { databaseFile } from '../store/index.ts';

/** Pictures that come with an answer are results of its job: in the library, charged with it, and never among its words. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

const FOX = testPng(900, 900);
const DATA = `data:image/png;base64,${FOX.toString('base64')}`;
const part = (url: string) => ({ type: 'image_url', image_url: { url } });
const USAGE = { prompt_tokens: 10, completion_tokens: 1_300, total_tokens: 1_310 };

/** A studio whose service answers every chat with this message, and a query for a file with `file`. */
async function studioWith(
  message: (baseUrl: string) => object,
  file: { status?: number; body: Buffer } = { body: FOX },
) {
  const service = await startService(({ method }, baseUrl) =>
    method === 'GET'
      ? file
      : {
          body: {
            id: 'chatcmpl-1',
            choices: [{ message: { role: 'assistant', ...message(baseUrl) }, finish_reason: 'stop' }],
            usage: USAGE,
          },
        },
  );
  const { baseUrl } = service;
  const models = [{ id: 'language', kind: 'chat' as const }];
  const one = await openStudio({
    sandbox: { ...profileSchema.parse({ baseUrl, models }), id: 'sandbox', name: 'Sandbox' },
  });
  const { conversationId } = await one.ask('chat.create', { model: 'language' });
  const said = async (text: string) => {
    const { jobId } = await one.ask('chat.send', { conversationId, text, stream: false });
    await expect.poll(async () => (await one.ask('jobs.get', { id: jobId })).state).toBe('succeeded');
    const { messages } = await one.ask('chat.get', { conversationId });
    return { job: await one.ask('jobs.get', { id: jobId }), answer: messages.at(-1) };
  };
  return { ...one, ...service, conversationId, said };
}

test('a picture in an answer is in the library, at its message and in its job, charged once, and not in the database', async () => {
  const { ask, said, dataDir, conversationId, bodies } = await studioWith(() => ({
    content: `A fox.\n\n![fox](${DATA})`,
  }));
  const { job, answer } = await said('Draw a fox');
  const [asset] = job.outputs;
  expect(answer).toMatchObject({ text: 'A fox.\n\n', state: 'done', pictures: [asset?.id] });
  expect(asset).toMatchObject({
    state: 'local',
    mime: 'image/png',
    width: 900,
    bytes: FOX.length,
    role: 'output',
    jobId: job.id,
  });
  expect((await ask('library.list', {})).assets.map(({ id }) => id)).toEqual([asset?.id]);
  expect(job.result).toMatchObject({ text: 'A fox.\n\n', pictures: 1, usage: { completionTokens: 1_300 } });
  const entries = (await ask('ledger.entries', {})).entries.filter(({ type }) => type === 'charge');
  expect(entries.map(({ jobId, settledNano }) => [jobId, settledNano])).toEqual([[job.id, job.money.chargedNano]]);
  expect(job.money.chargedNano).toBeGreaterThan(0);
  await said('And a dog');
  expect(JSON.parse(bodies()[1] ?? '').messages).toEqual([
    { role: 'user', content: 'Draw a fox' },
    { role: 'assistant', content: 'A fox.\n\n' },
    { role: 'user', content: 'And a dog' },
  ]);
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const longest = db.prepare("SELECT max(length(coalesce(result, '') || request)) AS n FROM jobs").get();
  const found = db.prepare("SELECT count(*) AS n FROM assets WHERE remote_uri LIKE 'data:%'").get();
  db.close();
  expect([longest, found]).toEqual([{ n: expect.toSatisfy((n: number) => n < 1_000) }, { n: 0 }]);
  expect(await ask('search.all', { text: 'base64' })).toMatchObject({ hits: [] });
  expect((await ask('chat.get', { conversationId })).conversation.chargedNano).toBe(2 * job.money.chargedNano);
});

test('two pictures and no word are an answer; each has a place of its own', async () => {
  const { said } = await studioWith(() => ({
    content: '',
    images: [part(DATA), part(`data:image/png;base64,${testPng(8, 8).toString('base64')}`)],
  }));
  const { job, answer } = await said('Draw a fox');
  expect(job.outputs.map(({ outputIndex, name }) => [outputIndex, name])).toEqual([
    [0, 'Draw a fox'],
    [1, 'Draw a fox 2'],
  ]);
  expect(answer).toMatchObject({ text: '', state: 'done', pictures: job.outputs.map(({ id }) => id) });
});

test('an address is fetched with the key from the gateway; where that fails, the answer stands and the picture is at the gateway', async () => {
  const good = await studioWith((baseUrl) => ({ content: 'A fox.', images: [part(`${baseUrl}/files/fox.png`)] }));
  const { job } = await good.said('Draw a fox');
  await expect.poll(async () => (await good.ask('jobs.get', { id: job.id })).outputs[0]?.state).toBe('local');
  const asked = good.received.find(({ method }) => method === 'GET');
  expect(asked).toMatchObject({ path: '/files/fox.png' });
  const bad = await studioWith((baseUrl) => ({ content: 'A fox.', images: [part(`${baseUrl}/fox.png`)] }), {
    status: 503,
    body: Buffer.from('later'),
  });
  const { job: kept, answer } = await bad.said('Draw a fox');
  expect(answer).toMatchObject({ text: 'A fox.', state: 'done', pictures: [kept.outputs[0]?.id] });
  await expect.poll(async () => (await bad.ask('jobs.get', { id: kept.id })).outputs[0]?.fault).toBeTruthy();
  expect(await bad.ask('jobs.get', { id: kept.id })).toMatchObject({
    state: 'succeeded',
    outputs: [{ state: 'remote' }],
    money: { chargedNano: kept.money.chargedNano },
  });
});

test('an address of another host among the words is not asked', async () => {
  const other = await startService(() => ({ body: FOX }));
  const content = `![tick](${other.baseUrl}/tick.png?said=secret)`;
  const { said } = await studioWith(() => ({ content }));
  const { job, answer } = await said('Is it green?');
  expect([answer?.text, answer?.pictures, job.outputs, other.received]).toEqual([content, undefined, [], []]);
});
