import fc from 'fast-check';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { canonicalJson, type Json } from '../../../shared/evidence/canonical.ts';
import type { EvidenceDocument, EvidenceJob } from '../../../shared/evidence/document.ts';
import { figuresOf } from '../../../shared/evidence/figures.ts';
import {
  type EvidenceRecord,
  FIRST,
  RECORD_KINDS,
  REDACTIONS,
  type Redaction,
} from '../../../shared/evidence/record.ts';
import { sumsOf } from '../../../shared/evidence/sums.ts';
import { faultsOfChain, sealed, verifyEvidence } from '../proof/index.ts';
import type { Store } from '../store/index.ts';
import { evidenceText } from './dispute.ts';
import { addRecord, journalHead, recordsOf } from './records.ts';

const SECRET = 'hook-secret-of-this-job';

function aStore(): Store {
  const store = openTestStore({ dataDir: tempDir('evidence'), clock: new TestClock() });
  onTestFinished(() => store.close());
  return store;
}

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const someRecord = fc.record({
  what: fc.constantFrom(...RECORD_KINDS),
  facts: fc.dictionary(fc.constantFrom('kind', 'bytes', 'outcome', 'odd'), json, { maxKeys: 3 }),
  hidden: fc.option(fc.record({ as: fc.constantFrom(...REDACTIONS), value: json }), { nil: undefined }),
});
const someRecords = fc.array(someRecord, { minLength: 1, maxLength: 6 });
type Some = {
  what: EvidenceRecord['what'];
  facts: Record<string, Json>;
  hidden: { as: Redaction; value: Json } | undefined;
};

function journalOf(store: Store, jobId: string, records: readonly Some[]): EvidenceRecord[] {
  store.transaction((db) => {
    for (const { what, facts, hidden } of records)
      addRecord(db, { jobId, what, facts, secret: SECRET, hideable: { seen: hidden } });
  });
  return recordsOf(store.read, jobId) as EvidenceRecord[];
}

function documentOf(jobs: readonly EvidenceJob[]): EvidenceDocument {
  return {
    format: 'dailies-evidence',
    version: 1,
    by: 'Dailies 9.9.9',
    at: 1,
    currency: 'USD',
    gateway: { name: 'Studio gateway', host: 'example.invalid' },
    scope: { type: 'jobs', from: 1, to: 2 },
    sums: sumsOf(jobs),
    takenOut: [],
    journal: { records: 1, head: FIRST },
    jobs: [...jobs],
  };
}

const jobOf = (job: string, records: EvidenceRecord[]): EvidenceJob => ({
  job,
  figures: figuresOf(records),
  records,
  count: records.length,
  last: records.at(-1)?.hash ?? FIRST,
});

describe('the chain of a job', () => {
  it('is whole as it was written, also after another job wrote in between', () => {
    const store = aStore();
    fc.assert(
      fc.property(fc.uuid(), someRecords, (jobId, records) => {
        journalOf(store, `${jobId} other`, records.slice(0, 1));
        expect(faultsOfChain(jobId, journalOf(store, jobId, records))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is not whole once a record is changed, gone, doubled or stands elsewhere', () => {
    const store = aStore();
    fc.assert(
      fc.property(fc.uuid(), someRecords, fc.nat(), fc.nat(4), (jobId, some, at, how) => {
        const records = journalOf(store, jobId, [...some, ...some.slice(0, 1)]);
        const n = at % records.length;
        const record = records[n] as EvidenceRecord;
        const changed: readonly EvidenceRecord[][] = [
          records.toSpliced(n, 1, { ...record, at: record.at + 1 }),
          records.toSpliced(n, 1, { ...record, facts: { ...record.facts, added: 1 } }),
          records.toSpliced(n, 1, record, record),
          n === records.length - 1 ? [record, ...records.slice(0, -1)] : records.toSpliced(n, 1),
          [...records.slice(n + 1), ...records.slice(0, n + 1)].length > 1 && n < records.length - 1
            ? [...records.slice(n + 1), ...records.slice(0, n + 1)]
            : records.toSpliced(n, 1, { ...record, what: record.what === 'gone' ? 'sent' : 'gone' }),
        ];
        expect(faultsOfChain(jobId, changed[how] ?? [])).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('is that of its own job alone', () => {
    const store = aStore();
    const records = journalOf(store, 'job_a', [{ what: 'ordered', facts: {}, hidden: undefined }]);
    expect(faultsOfChain('job_b', records)).not.toEqual([]);
  });

  test('gets the same record when a change is run again after a rollback', () => {
    const store = aStore();
    const hashes: (string | undefined)[] = [];
    const add = (fails: boolean) =>
      store.transaction((db) => {
        const hideable = { words: { as: 'words' as const, value: 'a quay' } };
        addRecord(db, { jobId: 'job', what: 'ordered', facts: { n: 1 }, secret: SECRET, hideable });
        hashes.push(db.one<{ hash: string }>({ name: 'test', text: 'SELECT hash FROM evidence' })?.hash);
        if (fails) throw new Error('rolled back');
      });
    expect(() => add(true)).toThrow('rolled back');
    expect(recordsOf(store.read, 'job')).toEqual([]);
    add(false);
    expect([new Set(hashes).size, journalHead(store.read).records]).toEqual([1, 1]);
  });
});

describe('a file of evidence', () => {
  const fileOf = async (store: Store, some: readonly Some[], redact: readonly Redaction[] = []) => {
    const id = `job_${journalHead(store.read).records}`;
    const records = journalOf(store, id, [{ what: 'ordered', facts: { kind: 'video' }, hidden: undefined }, ...some]);
    const taken = records.map(({ shown = {}, ...record }) => {
      const held = Object.entries(shown).filter(([name]) => {
        const fact = record.facts[name] as { hidden: Redaction };
        return !redact.includes(fact.hidden);
      });
      return held.length === 0 ? record : { ...record, shown: Object.fromEntries(held) };
    });
    return evidenceText(documentOf([jobOf(id, taken)]));
  };

  it('is whole, whatever of it is taken out', async () => {
    const store = aStore();
    await fc.assert(
      fc.asyncProperty(someRecords, fc.subarray([...REDACTIONS]), async (some, redact) => {
        const verdict = verifyEvidence(await fileOf(store, some, redact));
        expect(verdict).toMatchObject({ whole: true, faults: [], jobs: 1, records: some.length + 1 });
      }),
      { numRuns: 40 },
    );
  });

  it('is not whole once one byte of it is changed, added or gone', async () => {
    const store = aStore();
    const text = await fileOf(store, [
      { what: 'sent', facts: { bytes: 12 }, hidden: { as: 'words', value: 'A quay at night, “quietly” 🎬' } },
      { what: 'charged', facts: { settledNano: 400_000_000 }, hidden: undefined },
    ]);
    const bytes = Buffer.from(text);
    expect(verifyEvidence(text).whole).toBe(true);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ 1;
      expect([at, verifyEvidence(changed.toString('utf8')).whole]).toEqual([at, false]);
    }
    expect(verifyEvidence(text.slice(0, -1)).whole).toBe(false);
    expect(verifyEvidence(`${text} `).whole).toBe(false);
  });

  test('is not whole where its seal is new and a value, a figure or a sum is another', async () => {
    const store = aStore();
    const records = journalOf(store, 'job', [
      { what: 'ordered', facts: { kind: 'video', nano: 400, lowNano: 400 }, hidden: { as: 'words', value: 'A quay' } },
    ]);
    const job = jobOf('job', records);
    const first = records[0] as EvidenceRecord;
    const otherWords = { ...first, shown: { seen: { salt: first.shown?.seen?.salt ?? '', value: 'A pier' } } };
    const doubled: EvidenceDocument[] = [
      documentOf([{ ...job, records: [otherWords] }]),
      documentOf([{ ...job, figures: { ...job.figures, chargedNano: 1 } }]),
      documentOf([{ ...job, count: 2 }]),
      { ...documentOf([job]), sums: { ...sumsOf([job]), askedBackNano: 5 } },
      documentOf([{ ...job, records: [{ ...first, shown: { other: { salt: '', value: 1 } } }] }]),
      documentOf([job, job]),
    ];
    expect(verifyEvidence(await evidenceText(documentOf([job]))).whole).toBe(true);
    for (const document of doubled) {
      const verdict = verifyEvidence(await evidenceText(document));
      expect(verdict.whole).toBe(false);
      expect(verdict.faults).toHaveLength(1);
    }
  });

  test('is not whole in any other form than the one that is written', async () => {
    const store = aStore();
    const text = await fileOf(store, []);
    const body = `${text.slice(0, text.lastIndexOf(',\n  "seal"'))}\n}`;
    expect(verifyEvidence(sealed(body)).whole).toBe(true);
    const twice = body.replace('"currency": "USD"', '"currency": "EUR",\n  "currency": "USD"');
    for (const other of [twice, body.replace('"at": ', '"at":  ')]) {
      expect(other).not.toBe(body);
      expect(verifyEvidence(sealed(other))).toMatchObject({ whole: false, faults: [{ where: 'file' }] });
    }
  });

  test('says how many jobs stand there without anything that proves them', async () => {
    const bare = { ...jobOf('job_bare', []), count: 3 };
    const { whole, message } = verifyEvidence(await evidenceText(documentOf([bare])));
    expect(whole).toBe(true);
    expect(message).toBe(
      'Whole: 0 records of 0 jobs, each as it was written. 1 more job without records is proven by nothing.',
    );
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['another JSON', '{"format":"else"}'],
    ['a list', '[1,2]'],
    [
      'a depth that no reader survives',
      `{"format":"dailies-evidence","jobs":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    ],
  ])('%s is no job record, and is told as such', (_, text) => {
    expect(verifyEvidence(text)).toMatchObject({ whole: false, jobs: 0, records: 0 });
  });
});

test('the text that is hashed does not depend on the order of keys', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, null], c: 'ü' } })).toBe('{"a":{"c":"ü","d":[1,null]},"b":1}');
});
