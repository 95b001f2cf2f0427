import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isTerminal, type Job } from '../../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../../src/shared/kinds/index.ts';
import type { PricedQuantity } from '../../../src/shared/kinds/pricedQuantity.ts';
import { memoryKeys, TestClock } from '../../helpers/testPorts.ts';
import { openStudio } from '../../helpers/testStudio.ts';
import { addSpeechDriver } from './driver.ts';
import { addSpeech, type SpeechRequest } from './kind.ts';
import { startSpeechService } from './service.ts';

/** An added kind passes through the whole studio: request, price, claim, wire, poll, download, library, spend. */

const takeAway: (() => void)[] = [];
beforeAll(() => takeAway.push(addSpeech(), addSpeechDriver()));
afterAll(() => {
  for (const undo of takeAway) undo();
});
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const KEY = 'sk-0123456789abcdef';
const NANO_A_SECOND = 10_000_000;
const words: SpeechRequest = { kind: 'speech', model: 'narrator', text: 'The harbour sleeps.', seconds: 4 };
/** A request as an outside tool sends it: the contract's types have only the studio's own kinds. */
const asked = (request: object) => request as StudioRequest;

async function start(options?: Parameters<typeof startSpeechService>[0]) {
  const service = await startSpeechService(options);
  const clock = new TestClock();
  const { studio, call: answer, ask, close } = await openStudio({ ports: { clock, keys: memoryKeys({ p: KEY }) } });
  closing.push(close, service.close);
  await ask('profiles.save', {
    id: 'p',
    name: 'P',
    baseUrl: service.url,
    models: [{ id: 'narrator', kind: 'speech' as 'chat' }],
    prices: [{ kind: 'speech' as 'chat', model: '*', readings: [{ unit: 'second', nano: NANO_A_SECOND }] }],
  });
  await ask('profiles.activate', { id: 'p' });
  const end = async (id: string): Promise<Job> => {
    for (let turn = 0; turn < 60; turn += 1) {
      const job = await ask('jobs.get', { id });
      if (isTerminal(job.state) || job.state === 'uncertain') return job;
      await clock.advance(1_000);
    }
    return ask('jobs.get', { id });
  };
  return { studio, service, answer, ask, end };
}

test('an added kind goes from the request to the library, and the bill agrees', async () => {
  const { service, ask, end } = await start();
  const estimate = await ask('ledger.estimate', { requests: [asked(words)] });
  expect(estimate).toMatchObject({ estimateNano: 4 * NANO_A_SECOND, unpriced: 0 });
  const quantities = [{ kind: 'speech', model: 'narrator', quantity: { seconds: 4 } }] as object[] as PricedQuantity[];
  expect(await ask('ledger.estimate', { quantities })).toEqual(estimate);
  const { jobs } = await ask('jobs.enqueue', { requests: [asked(words)] });
  expect(jobs[0]).toMatchObject({ kind: 'speech', money: { estimateNano: 4 * NANO_A_SECOND } });

  const job = await end(jobs[0]?.id ?? '');
  expect(job).toMatchObject({
    state: 'succeeded',
    progress: 100,
    remoteId: 'voice-7',
    model: 'narrator',
    money: { chargedNano: 4 * NANO_A_SECOND, reservedNano: 0, uncertainNano: 0 },
    outputs: [{ state: 'local', mime: 'audio/wav', seconds: 4, audio: true, width: 0 }],
  });
  const sent = service.got.filter(({ line }) => line === 'POST /v1/audio/speech');
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
    { model: 'narrator', input: 'The harbour sleeps.', seconds: 4 },
  ]);
  expect(sent[0]).toMatchObject({ authorization: `Bearer ${KEY}`, key: expect.stringMatching(/\S{16}/) });
  expect(service.got.filter(({ line }) => line === 'GET /v1/audio/speech/voice-7')).toHaveLength(2);

  const sounds = await ask('library.list', { types: ['audio'] });
  expect(sounds.assets).toMatchObject([{ jobId: job.id, name: 'The harbour sleeps.' }]);
  expect(await ask('library.list', { types: ['image', 'video'] })).toMatchObject({ total: 0 });
  expect(await ask('jobs.list', { kinds: ['speech' as 'chat'], text: 'harbour' })).toMatchObject({ total: 1 });
  const totals = await ask('ledger.totals', { groupBy: 'kind' });
  expect(totals.rows).toMatchObject([{ key: 'speech', settledNano: 4 * NANO_A_SECOND, uncertainNano: 0 }]);
});

test('the result is compared with the request, and its charge follows what was made', async () => {
  const { ask, end } = await start({ makes: 2 });
  const { jobs } = await ask('jobs.enqueue', { requests: [asked(words)] });
  expect(await end(jobs[0]?.id ?? '')).toMatchObject({
    state: 'succeeded',
    differs: [{ what: 'seconds', ordered: '4 s', made: '2 s' }],
    money: { chargedNano: 2 * NANO_A_SECOND, uncertainNano: 2 * NANO_A_SECOND },
  });
});

test('its definite no costs nothing, and an unreadable answer is unconfirmed and sent once', async () => {
  const refusing = await start({
    says: { status: 400, body: { error: { code: 'content_policy_violation', message: 'Refused.' } } },
  });
  const refused = await refusing.ask('jobs.enqueue', { requests: [asked(words)] });
  expect(await refusing.end(refused.jobs[0]?.id ?? '')).toMatchObject({
    state: 'failed',
    error: { kind: 'moderation' },
    money: { chargedNano: 0, uncertainNano: 0 },
  });
  const mute = await start({ says: { status: 200, body: { hello: 'there' } } });
  const lost = await mute.ask('jobs.enqueue', { requests: [asked(words)] });
  expect(await mute.end(lost.jobs[0]?.id ?? '')).toMatchObject({
    state: 'uncertain',
    money: { uncertainNano: 4 * NANO_A_SECOND },
  });
  expect(mute.service.got).toHaveLength(1);
});

test('its own rules hold: of the schema, of readiness, and of its price', async () => {
  const { answer } = await start();
  const wrong = await answer('jobs.enqueue', { requests: [asked({ ...words, seconds: 0 })] });
  expect(wrong).toMatchObject({ ok: false, error: { message: 'requests.0.seconds: must be 1 to 60' } });
  const long = await answer('jobs.enqueue', { requests: [asked({ ...words, text: 'x'.repeat(500) })] });
  expect(long).toMatchObject({ ok: false, error: { message: 'text: is too long to be said in that time.' } });
  const unknown = await answer('jobs.enqueue', { requests: [asked({ kind: 'song' })] });
  expect(unknown).toMatchObject({
    ok: false,
    error: { message: "requests.0.kind: must be 'chat', 'video', 'imagine', 'edit' or 'speech'" },
  });
});

test('sound is imported as a file of the user’s, and is no mask or frame', async () => {
  const { studio, service } = await start();
  const sound = Buffer.from(await (await fetch(`${service.url}/made/voice-7.wav`)).arrayBuffer());
  const upload = (role: string) => studio.media.upload({ name: 'voice.wav', body: Readable.from([sound]), role });
  expect(await upload('source')).toMatchObject({
    ok: true,
    data: { mime: 'audio/wav', audio: true, name: 'voice.wav' },
  });
  expect(await upload('mask')).toMatchObject({ ok: false, error: { code: 'unsupported_media' } });
});
