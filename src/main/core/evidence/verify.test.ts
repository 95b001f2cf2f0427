import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  PIXEL,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { evidenceOf, sha512Of } from '../../../../test/helpers/evidenceOf.ts';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { c4OfHex, hashListOf } from '../hashList/index.ts';
import { recordsOf } from './evidenceRecords.ts';

const start = engineHarnesses();

async function makeOne(one: EngineHarness): Promise<string> {
  one.script.submit.push(acceptance(one.clock));
  one.script.poll.push(finished(PIXEL));
  const { id } = await one.enqueue(aVideo);
  await one.untilEnd(id);
  return id;
}

const sha512 = (text: string): string => createHash('sha512').update(text).digest('hex');

const change = ({ store }: EngineHarness, text: string, id: string) =>
  store.transaction((db) => db.run({ name: 'test', text }, { id }));

async function faultsOf(one: EngineHarness): Promise<unknown> {
  const found = await evidenceOf(one)['evidence.verify']({});
  return found.ok && { whole: found.data.whole, faults: found.data.faults };
}

const WHOLE = { whole: true, faults: [] };

test('records that do not add up to what the ledger has are told of, one job or all', async () => {
  const one = start();
  const id = await makeOne(one);
  const ofJob = async () => evidenceOf(one)['evidence.journal']({ jobId: id });
  expect(await ofJob()).toMatchObject({ ok: true, data: { faults: [] } });
  expect(await faultsOf(one)).toEqual(WHOLE);
  change(one, "UPDATE evidence SET facts = '{}' WHERE what = 'charged' AND job_id = $id", id);
  const inLedger = formatNano(VIDEO_NANO);
  const message = `The records have $0.00 charged and $0.00 unconfirmed; the ledger has ${inLedger} and $0.00.`;
  const faults = [{ where: id, message }];
  expect(await ofJob()).toMatchObject({ ok: true, data: { faults } });
  expect(await faultsOf(one)).toEqual({ whole: false, faults });
});

test('a removed record is missed, whatever it was, and so are all records of a job that was charged', async () => {
  const one = start({ script: { body: '{}' } });
  const [first, second] = [await makeOne(one), await makeOne(one)];
  await one.enqueue(aVideo);
  const missing = (message: string) => ({ whole: false, faults: [{ where: 'records', message }] });
  expect(await faultsOf(one)).toEqual(WHOLE);
  change(one, "DELETE FROM evidence WHERE what = 'sent' AND job_id = $id", first);
  expect(await faultsOf(one)).toEqual(missing('1 record is missing.'));
  change(one, "DELETE FROM evidence WHERE what = 'ordered' AND job_id = $id", second);
  expect(await faultsOf(one)).toEqual(missing('2 records are missing.'));
  const rest = recordsOf(one.store.read, [second]).get(second)?.length ?? 0;
  change(one, 'DELETE FROM evidence WHERE job_id = $id', second);
  expect(await faultsOf(one)).toEqual(missing(`${2 + rest} records are missing.`));
  expect(await evidenceOf(one)['evidence.journal']({ jobId: second })).toMatchObject({
    data: { records: [], faults: [{ where: second, message: expect.stringContaining('the ledger has') }] },
  });
});

function aFolder(): string {
  const folder = tempDir('mhl');
  const files = ['a.txt', 'b.txt'].map((name) => ({ name, text: name }));
  const listed = files.map(({ name, text }) => ({ name, bytes: text.length, c4: c4OfHex(sha512(text)) }));
  fs.mkdirSync(path.join(folder, 'ascmhl'));
  for (const { name, text } of [...files, ...hashListOf({ name: 'A', version: '1', at: 0, files: listed })])
    fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

test('folders are hashed one after the other, also after one that is not there', async () => {
  const asked: string[] = [];
  const hash = async (file: string): Promise<string> => {
    asked.push(path.dirname(file));
    await nextTurn();
    return sha512Of(file);
  };
  const verify = evidenceOf(start(), { hash })['evidence.verify'];
  const [one, other] = [aFolder(), aFolder()];
  const found = await Promise.all([one, other, '/none', one].map(async (folder) => verify({ path: folder })));
  expect(found.map((answer) => answer.ok && answer.data.whole)).toEqual([true, true, false, true]);
  expect(asked).toEqual([one, one, other, other, one, one]);
});
