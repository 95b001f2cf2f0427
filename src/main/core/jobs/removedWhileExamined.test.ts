import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { countingIds } from '../../../../test/helpers/testPorts.ts';
import { LedgerWriter } from '../ledger/index.ts';
import { writeJobs } from './enqueue.ts';

const start = engineHarnesses();

test('an order is refused whose gateway was removed while it was examined, and nothing is written', () => {
  const { store, clock, profile, engine, library } = start();
  const [ids, random] = [countingIds(), () => 0];
  const deps = { ids, clock, random, library, ledger: new LedgerWriter({ clock, ids }) };
  const profiles = { get: () => undefined };
  const written = store.transaction((db) => writeJobs({ ...deps, profiles }, db, profile, { requests: [aVideo] }));
  expect(written).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect(engine.queries.list({ limit: 1 }, false).total).toBe(0);
});

test('a batch is refused whose project was removed while its lines were staged, and nothing is written', async () => {
  let isThere = true;
  const { engine, profile } = start({ hasProject: () => isThere });
  const orders = Array.from({ length: 600 }, () => ({ request: aVideo, projectId: 'project' }));
  const enqueued = engine.batches.enqueue({ readId: 'read' }, profile, orders);
  isThere = false;
  expect(await enqueued).toMatchObject({ ok: false, error: { code: 'not_found', data: { field: 'projectId' } } });
  expect(engine.queries.list({ limit: 1 }, false).total).toBe(0);
});
