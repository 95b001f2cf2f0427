import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canaryKey, findCanary } from '../../../../test/helpers/canary.ts';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  type EngineOptions,
  error,
  finished,
  lostAnswer,
  PIXEL,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { evidenceOf, sha512Of } from '../../../../test/helpers/evidenceOf.ts';
import { aPrice } from '../../../../test/helpers/prices.ts';
import { countingIds, silentLog, tempDir } from '../../../../test/helpers/testPorts.ts';
import { contract } from '../../../shared/contract/contract.ts';
import { parseInput } from '../../../shared/contract/result.ts';
import type { EvidenceDocument } from '../../../shared/evidence/document.ts';
import { agrees, figuresOf, overchargeNano } from '../../../shared/evidence/figures.ts';
import type { EvidenceRecord } from '../../../shared/evidence/record.ts';
import { Exports } from '../exports/index.ts';
import { verifyPath as verifyPathBy } from '../hashList/index.ts';
import { LedgerWriter } from '../ledger/index.ts';
import { sql } from '../store/index.ts';
import { recordsOf } from './evidenceRecords.ts';

/** Records written by the engine, and a dispute from them to its files. */

const start = engineHarnesses();

const journal = ({ store }: EngineHarness, id: string) => recordsOf(store.read, [id]).get(id) ?? [];
const verifyPath = (place: string) => verifyPathBy(place, sha512Of);
const kinds = (records: readonly EvidenceRecord[]) => records.map(({ what }) => what);

async function makeOne(given: EngineOptions = {}) {
  const one = start({ script: { body: '{"prompt":"A quay at night","hookUrl":"x"}' }, ...given });
  one.script.submit.push(acceptance(one.clock));
  one.script.poll.push(
    { type: 'running' },
    { type: 'running' },
    { type: 'missing' },
    {
      ...finished(),
      stated: { by: 'usage.cost', as: '0.80 USD', nano: 800_000_000 },
    },
  );
  const job = await one.enqueue(aVideo);
  await one.untilEnd(job.id);
  return { one, id: job.id, records: journal(one, job.id) };
}

test('the whole life of a job is in its record', async () => {
  const { records } = await makeOne();
  expect(kinds(records).join(' ')).toBe('ordered claimed sent answered asked fetched stated charged compared');
  const facts = Object.fromEntries(records.map((record) => [record.what, record.facts]));
  expect(facts.ordered).toMatchObject({
    kind: 'video',
    model: 'video-standard',
    nano: VIDEO_NANO,
    gateway: { name: 'P' },
    words: 'A quay at night',
  });
  expect(facts.sent).toMatchObject({ bytes: 42, key: expect.stringContaining('…') });
  expect(facts.answered).toMatchObject({ outcome: 'accepted', task: 'task-1' });
  expect(facts.asked).toMatchObject({ times: 4, answers: { running: 2, missing: 1, done: 1 }, results: 1 });
  expect(facts.stated).toEqual({ by: 'usage.cost', as: '0.80 USD', nano: 800_000_000 });
  expect(facts.charged).toMatchObject({ settledNano: 800_000_000 });
});

test('what was stated beside what was due is found from the records alone', async () => {
  const { records } = await makeOne({ profile: { prices: [aPrice('video', 0.4)] } });
  expect(figuresOf(records)).toMatchObject({
    outcome: 'made',
    due: { nano: 400_000_000, lowNano: 400_000_000 },
    stated: { nano: 800_000_000, by: 'usage.cost' },
    attempts: 1,
    operation: 'task-1',
    made: { results: 1 },
  });
});

test('a change that is not written leaves no record, and one that is written has its record', async () => {
  const one = start();
  one.script.submit.push(lostAnswer);
  const job = await one.enqueue(aVideo);
  await one.until(job.id, ({ state }) => state === 'uncertain');
  const before = journal(one, job.id);
  expect(kinds(before)).toEqual(['ordered', 'claimed', 'answered', 'doubt']);
  const { transaction } = one.store;
  one.store.transaction = (work) =>
    transaction((db) => {
      work(db);
      throw new Error('the end comes here');
    });
  await expect(async () => one.engine.commands.resolve({ id: job.id, as: 'lost' })).rejects.toThrow('the end');
  await expect(async () => one.engine.commands.cancel(job.id)).rejects.toThrow('the end');
  one.store.transaction = transaction;
  expect(one.job(job.id).state).toBe('uncertain');
  expect(journal(one, job.id)).toEqual(before);
});

test('a refusal is in the journal with its status, its request id and nothing due', async () => {
  const one = start();
  one.script.submit.push(
    refusal({ status: 400, requestId: 'rq_1', kind: 'invalid', message: 'The quay is not allowed.' }),
  );
  const job = await one.enqueue(aVideo);
  await one.untilEnd(job.id);
  const records = journal(one, job.id);
  expect(records.find(({ what }) => what === 'answered')?.facts).toMatchObject({
    outcome: 'refused',
    status: 400,
    requestId: 'rq_1',
  });
  expect(figuresOf(records)).toMatchObject({ outcome: 'refused', due: { nano: 0 }, requestId: 'rq_1' });
});

test('a clip whose address answers that it was refused was not made, and nothing is due', async () => {
  const refused = { type: 'failed' as const, error: error({ kind: 'moderation', accepted: 'yes' }) };
  const one = start({ script: { gateway: { fetchMedia: async () => refused } } });
  one.script.submit.push(acceptance(one.clock));
  one.script.poll.push(finished('https://h/a.mp4'));
  const job = await one.enqueue(aVideo);
  expect((await one.untilEnd(job.id)).money.chargedNano).toBe(0);
  const records = journal(one, job.id);
  expect(kinds(records).join(' ')).toBe('ordered claimed answered asked charged gone compared corrected');
  const figures = figuresOf(records, { nano: VIDEO_NANO });
  expect(figures).toMatchObject({ outcome: 'refused', due: { nano: 0, lowNano: 0 }, chargedNano: 0 });
  expect(overchargeNano(figures)).toBe(VIDEO_NANO);
  expect(agrees(figures)).toBe(false);
});

test('a chat has its request, its answer and its charge in the journal, by the status of the answer', async () => {
  const one = start({
    script: {
      gateway: {
        chat: async (_, { witness }) => {
          witness?.sent({ bytes: 12, sha256: 'f'.repeat(64), key: 'abcdefgh', path: '/v1/chat/completions' });
          witness?.answered(200);
          const usage = { promptTokens: 5, completionTokens: 2, totalTokens: 7 };
          return {
            type: 'answered',
            complete: true,
            result: { text: 'ok', finishReason: 'stop', usage },
            requestId: 'rq_2',
          };
        },
      },
    },
  });
  const job = await one.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say ok' }] });
  await one.untilEnd(job.id);
  const records = journal(one, job.id);
  expect(kinds(records)).toEqual(['ordered', 'claimed', 'sent', 'answered', 'charged']);
  expect(records[2]?.facts).toEqual({
    bytes: 12,
    sha256: 'f'.repeat(64),
    key: 'abcd…gh',
    path: '/v1/chat/completions',
  });
  expect(records[3]?.facts).toEqual({ outcome: 'done', status: 200, requestId: 'rq_2' });
});

type MoneyRow = Parameters<LedgerWriter['release']>[1];

test('what a bill settles is billed, and taken back it is not', async () => {
  const { one, id } = await makeOne();
  const ledger = new LedgerWriter({ clock: one.clock, ids: countingIds() });
  const row = () =>
    one.store.read.one<MoneyRow>({ name: 'test', text: 'SELECT * FROM jobs WHERE id = $id' }, { id }) as MoneyRow;
  const settle = () =>
    one.store.transaction((db) =>
      ledger.bills.recorded(db, () => ledger.bills.chargeAsBilled(db, row(), 900_000_000, 'the bill')),
    );
  const { entryIds } = settle();
  expect(figuresOf(journal(one, id))).toMatchObject({ billedNano: 900_000_000, chargedNano: 900_000_000 });
  one.store.transaction((db) => ledger.bills.reverse(db, row(), entryIds, 'taken back'));
  expect(figuresOf(journal(one, id)).billedNano).toBeUndefined();
  expect(figuresOf(journal(one, id)).chargedNano).toBe(800_000_000);
});

test('the link secret is in no record', async () => {
  const { one, id, records } = await makeOne();
  const row = one.store.read.one<{ hook_secret: string; idempotency_key: string }>(
    { name: 'test', text: 'SELECT hook_secret, idempotency_key FROM jobs WHERE id = $id' },
    { id },
  );
  const text = JSON.stringify(records);
  expect(row?.hook_secret.length).toBeGreaterThan(10);
  expect(text).not.toContain(row?.hook_secret);
  expect(text).not.toContain(row?.idempotency_key);
});

function evidenceOn(one: EngineHarness, takes: ReadonlyMap<string, string> = new Map()) {
  const exports = new Exports({
    ...one,
    ids: countingIds(),
    log: silentLog,
    emit: () => undefined,
    version: '9.9.9',
    freeBytes: () => 1e12,
  });
  const evidence = evidenceOf(one, {
    exports,
    storyboard: { takeNames: () => takes, projectName: () => 'The Crossing' },
  });
  const ask = async <Name extends keyof typeof evidence>(name: Name, input: object) => {
    const parsed = parseInput(contract[name].input, input);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return (evidence[name] as (asked: unknown) => Promise<unknown>)(parsed.data);
  };
  const save = async (input: object): Promise<string> => {
    const begun = (await ask('evidence.dispute', input)) as ReturnType<Exports['get']>;
    if (!begun.ok) throw new Error(begun.error.message);
    for (;;) {
      const known = exports.get(begun.data.id);
      if (known.ok && known.data.state === 'done') return known.data.folder;
      if (known.ok && known.data.state !== 'running') throw new Error(known.data.error);
      await new Promise((later) => setImmediate(later));
    }
  };
  return { ask, save };
}

test('a dispute leaves as letter, JSON and page, verifies, and fails after one changed byte of any of them', async () => {
  const { one, id } = await makeOne();
  const { save, ask } = evidenceOn(one);
  const folder = await save({ jobIds: [id] });
  const files = fs.readdirSync(folder).sort();
  expect(files).toEqual(['ascmhl', 'evidence.html', 'evidence.json', 'letter.html', 'letter.txt']);
  expect(await verifyPath(folder)).toMatchObject({
    ok: true,
    data: { whole: true, of: 'folder', jobs: 1, records: 9 },
  });
  expect(await verifyPath(path.join(folder, 'evidence.json'))).toMatchObject({ ok: true, data: { whole: true } });
  for (const name of files.slice(1)) {
    const bytes = fs.readFileSync(path.join(folder, name));
    const changed = Buffer.from(bytes);
    changed[Math.floor(bytes.length / 2)] = (changed[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    fs.writeFileSync(path.join(folder, name), changed);
    expect(await verifyPath(folder)).toMatchObject({ ok: true, data: { whole: false } });
    fs.writeFileSync(path.join(folder, name), bytes);
  }
  expect(await ask('evidence.verify', {})).toMatchObject({ ok: true, data: { of: 'journal', whole: true } });
  const text = fs.readFileSync(path.join(folder, 'evidence.json'), 'utf8');
  expect(await ask('evidence.verify', { text })).toMatchObject({
    ok: true,
    data: { of: 'file', whole: true, jobs: 1 },
  });
  expect(await ask('evidence.verify', { path: folder })).toMatchObject({ ok: true, data: { whole: true } });
});

test('a long prompt is in the file as it was requested', async () => {
  const prompt = `${'A quay at night. '.repeat(500)}The end.`;
  const one = start();
  one.script.submit.push(refusal());
  const job = await one.enqueue({ ...aVideo, prompt } as typeof aVideo);
  await one.untilEnd(job.id);
  expect(journal(one, job.id)[0]?.facts.words).toHaveLength(8_193);
  const folder = await evidenceOn(one).save({ jobIds: [job.id] });
  const { jobs } = JSON.parse(fs.readFileSync(path.join(folder, 'evidence.json'), 'utf8')) as EvidenceDocument;
  expect(jobs[0]?.records[0]?.facts.words).toBe(prompt);
});

test('what is taken out is in none of the files', async () => {
  const secret = canaryKey();
  const one = start({ script: { body: `{"prompt":"A quay ${secret}","seed":424242}` } });
  one.script.submit.push(acceptance(one.clock));
  one.script.poll.push(finished(PIXEL));
  const job = await one.enqueue(
    { ...aVideo, prompt: `A quay ${secret}`, config: { durationSeconds: 4, seed: 424_242 } } as typeof aVideo,
    {
      projectId: 'project_1',
    },
  );
  await one.untilEnd(job.id);
  const { save } = evidenceOn(one, new Map([[job.id, 'Shot 2, take 9']]));
  const [bare, shown] = [
    await save({ jobIds: [job.id], redact: ['words', 'names', 'seeds'] }),
    await save({ jobIds: [job.id] }),
  ];
  expect(findCanary(secret, { paths: [bare] }).hits).toEqual([]);
  const read = (folder: string) => fs.readFileSync(path.join(folder, 'evidence.json'), 'utf8');
  const withoutSeeds = read(await save({ jobIds: [job.id], redact: ['seeds'] }));
  expect(withoutSeeds).not.toContain('424242');
  expect(withoutSeeds).toContain('Shot 2');
  for (const hidden of ['The Crossing', 'Shot 2', '424242']) {
    expect(read(bare)).not.toContain(hidden);
    expect(read(shown)).toContain(hidden);
  }
  for (const folder of [bare, shown]) expect(await verifyPath(folder)).toMatchObject({ data: { whole: true } });
});

test('no word of anybody is markup on the page, and nothing on it runs or is loaded', async () => {
  const one = start({ profile: { name: '<img src=x onerror=alert(1)>' } });
  one.script.submit.push(refusal({ requestId: '"><script>alert(1)</script>', message: '</td><iframe src=//evil>' }));
  const job = await one.enqueue({ ...aVideo, prompt: `</code><script>alert('x')</script>\u202E` } as typeof aVideo);
  await one.untilEnd(job.id);
  const folder = await evidenceOn(one).save({ jobIds: [job.id] });
  for (const name of ['evidence.html', 'letter.html']) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    expect(text).not.toMatch(/<(?:script|img|iframe|link|a)\b/i);
    expect(text).not.toContain('\u202E');
    expect(text).toContain("default-src 'none'");
  }
});

test('a job from before records were kept is told of as such, and proves nothing', async () => {
  const { one, id } = await makeOne();
  one.store.transaction((db) => db.run({ name: 'test', text: 'DELETE FROM evidence' }));
  const { ask } = evidenceOn(one);
  const answer = await ask('evidence.preview', { jobIds: [id] });
  expect(answer).toMatchObject({ ok: true, data: { records: 0, jobs: 1 } });
  expect(JSON.stringify(answer)).toContain('No records were kept when this was ordered');
});

test.each([
  [{}, 'jobIds'],
  [{ jobIds: ['job_none'] }, 'jobIds.0: there is no such job.'],
  [{ month: '2026-13' }, 'month'],
  [{ month: '1999-01' }, 'month: nothing was sent'],
])('%j is refused by the name of its field', async (input, message) => {
  const one = start();
  const refused = await evidenceOn(one)
    .ask('evidence.preview', input)
    .catch((error: Error) => ({ ok: false, error: { message: error.message } }));
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
});

test('what the newest bill has for a job is billed, all its lines together, and the file proves itself with it', async () => {
  const { one, id } = await makeOne();
  const { save, ask } = evidenceOn(one);
  const { operation } = figuresOf(journal(one, id));
  const bill = (statement: string, readAt: number, nano: number[]) =>
    one.store.transaction((db) => {
      db.run(insertStatement, { id: statement, profileId: one.profile.id, readAt });
      for (const [n, each] of nano.entries())
        db.run(insertLine, { id: statement, n, remoteId: operation ?? '', nano: each });
    });
  bill('old', 1, [7]);
  bill('new', 2, [400_000_000, 5]);
  const preview = (await ask('evidence.preview', { jobIds: [id] })) as { data: { sums: { billedNano: number } } };
  expect(preview.data.sums.billedNano).toBe(400_000_005);
  const folder = await save({ jobIds: [id] });
  const [job] = (JSON.parse(fs.readFileSync(path.join(folder, 'evidence.json'), 'utf8')) as EvidenceDocument).jobs;
  expect(job).toMatchObject({ bill: { nano: 400_000_005, lines: 2, line: 2 }, figures: { billedNano: 400_000_005 } });
  expect(await verifyPath(folder)).toMatchObject({ ok: true, data: { whole: true } });
});

const insertStatement = sql(
  'test.statement',
  `INSERT INTO statements (id, profile_id, text_key, read_at, from_at, to_at, line_count, facts, complete)
   VALUES ($id, $profileId, $id, $readAt, 0, 9, 1, '{}', 1)`,
);
const insertLine = sql(
  'test.line',
  `INSERT INTO statement_lines (statement_id, n, line, at, span_ms, remote_id, request_key, model, nano, hash)
   VALUES ($id, $n, $n + 2, 0, 0, $remoteId, '', 'm', $nano, $id || $n)`,
);

test('a folder in the way of nobody: evidence is saved where the user chose', async () => {
  const { one, id } = await makeOne();
  const place = tempDir('place');
  const folder = await evidenceOn(one).save({ jobIds: [id], folder: place, name: 'Claim 1' });
  expect(path.dirname(folder)).toBe(place);
  expect(fs.readFileSync(path.join(folder, 'letter.txt'), 'utf8')).toContain('To the billing desk of P');
});
