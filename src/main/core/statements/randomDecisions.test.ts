import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { holds, type StatementHarness, startStatements } from '../../../../test/helpers/statementHarness.ts';
import type { Statement } from '../../../shared/money/statement/statement.ts';

const HEADER = 'started_at,operation,model,amount_usd';
const LINES = [
  '2026-11-03T10:00:01Z,v-1,video-standard,1.6',
  '2026-11-03T10:00:01Z,v-1,video-standard,1.6',
  '2026-11-04T10:00:01Z,v-2,video-standard,0.4',
  '2026-11-05T10:00:01Z,v-3,video-standard,1.75',
  '2026-11-05T10:00:02Z,v-3,video-standard,-0.25',
  '2026-11-06T10:00:05Z,lost,video-standard,0.9',
  '2026-11-07T10:00:00Z,x,other,0.25',
  '2026-11-08T10:00:00Z,x,other,-0.25',
  '2026-12-05T10:00:00Z,v-1,video-standard,1.6',
] as const;

const someBill = fc.subarray([...LINES.keys()], { minLength: 1 });
const someStep = fc.oneof(
  fc.record({ do: fc.constant('adopt' as const), bill: fc.nat(), of: fc.nat(), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('keep' as const), bill: fc.nat(), of: fc.nat(), count: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ do: fc.constant('undo' as const), bill: fc.nat(), of: fc.nat(), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('match' as const), bill: fc.nat(), of: fc.nat(), count: fc.nat(4) }),
);
type Step = typeof someStep extends fc.Arbitrary<infer T> ? T : never;

const CREDIT_OF_A_DOUBT: [[number[], number[]], Step[], undefined] = [
  [[4], [6]],
  [
    { do: 'match', bill: 0, of: 0, count: 1 },
    { do: 'adopt', bill: 0, of: 0, count: 2 },
    { do: 'undo', bill: 0, of: 0, count: 1 },
  ],
  undefined,
];

interface Entry {
  job_id: string | null;
  settled_nano: number;
  settled_low_nano: number;
  uncertain_nano: number;
}

const entriesOf = ({ store }: StatementHarness): Entry[] =>
  store.read.all({ name: 'test.all', text: 'SELECT * FROM ledger_entries ORDER BY seq' });

const moneyOf = ({ store }: StatementHarness) =>
  store.read.all<{ id: string; charged_nano: number; charged_low_nano: number; uncertain_nano: number }>({
    name: 'test.money',
    text: 'SELECT id, charged_nano, charged_low_nano, uncertain_nano FROM jobs ORDER BY seq',
  });

/** What the entries of one job, or of none, come to. */
function sumOf(entries: readonly Entry[], jobId: string | null) {
  const own = entries.filter(({ job_id }) => job_id === jobId);
  const sum = (name: 'settled_nano' | 'settled_low_nano' | 'uncertain_nano') =>
    own.reduce((all, entry) => all + entry[name], 0);
  return { charged: sum('settled_nano'), low: sum('settled_low_nano'), uncertain: sum('uncertain_nano') };
}

function expectAgreement(harness: StatementHarness, before: readonly Entry[]): Entry[] {
  const entries = entriesOf(harness);
  expect(entries.slice(0, before.length)).toEqual(before);
  for (const job of moneyOf(harness)) {
    expect(sumOf(entries, job.id)).toEqual({
      charged: job.charged_nano,
      low: job.charged_low_nano,
      uncertain: job.uncertain_nano,
    });
    expect(job.charged_nano).toBeGreaterThanOrEqual(0);
  }
  const all = entries.reduce((sum, { settled_nano }) => sum + settled_nano, 0);
  const uncertain = entries.reduce((sum, { uncertain_nano }) => sum + uncertain_nano, 0);
  expect(harness.sum(false)).toEqual([all, uncertain]);
  expect(harness.sum(true)).toEqual([0, 0]);
  return entries;
}

const openLines = ({ onlyBill, onlyLedger, differs }: Statement) =>
  [...onlyBill, ...onlyLedger, ...differs].filter(({ decided }) => !decided);

/** `count` of them, from some place on. */
const some = <T>(all: readonly T[], { of, count }: { of: number; count: number }): T[] =>
  all.length === 0
    ? []
    : Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(of + at) % all.length] as T);

async function decided(harness: StatementHarness, id: string): Promise<string[]> {
  const { lines } = await harness.ask('statement.lines', { id, group: 'decided', limit: 100 });
  return lines.map((line) => line.id);
}

async function take(harness: StatementHarness, id: string, step: Step): Promise<void> {
  const { ask, answer } = harness;
  const now = await ask('statement.get', { id });
  if (step.do === 'undo') {
    const lines = some(await decided(harness, id), step);
    if (lines.length > 0) await answer('statement.undo', { id, lines });
    return;
  }
  const chosen = some(openLines(now), step);
  const [first] = chosen;
  if (!first) return;
  if (step.do === 'match') {
    const near = await answer('statement.candidates', { id, line: first.id });
    const jobId = (near.ok && near.data.lines[step.count]?.jobId) || null;
    await answer('statement.match', { id, line: first.id, jobId });
    return;
  }
  // All or nothing: a refusal of one leaves the others as they are, so each is also tried alone.
  const lines = chosen.map((line) => line.id);
  const all = await answer('statement.settle', { id, lines, as: step.do });
  if (!all.ok) for (const line of lines) await answer('statement.settle', { id, lines: [line], as: step.do });
}

/** Takes back everything, what was decided last first; false if something stays. */
async function takeBack(
  harness: StatementHarness,
  { ids, mayStay }: { ids: readonly string[]; mayStay: boolean },
): Promise<boolean> {
  const rows = () =>
    harness.store.read.all<{ statement_id: string; line_id: string }>({
      name: 'test.decisions',
      text: "SELECT statement_id, line_id FROM statement_decisions WHERE undone_at IS NULL AND decided_as <> 'match' ORDER BY seq DESC",
    });
  for (let [newest] = rows(); newest; [newest] = rows()) {
    expect(ids).toContain(newest.statement_id);
    const { answer } = harness;
    const undone = await answer('statement.undo', { id: newest.statement_id, lines: [newest.line_id] });
    // A price that was settled since has changed the cost of its job: then it stays, and so does what came before.
    if (!undone.ok && mayStay && undone.error.code === 'conflict') return false;
    expect(undone).toMatchObject({ ok: true });
  }
  return true;
}

test('whatever is decided and taken back, the ledger is what its entries say, and entries are only added', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(someBill, someBill),
      fc.array(someStep, { minLength: 1, maxLength: 8 }),
      fc.option(fc.nat(8), { nil: undefined }),
      async (bills, steps, settlesPriceAt) => {
        const harness = startStatements();
        try {
          for (const n of [1, 2, 3]) await harness.make(`2026-11-0${n + 2}T10:00:00Z`, `v-${n}`, aVideo);
          await harness.lose('2026-11-06T10:00:00Z', aVideo);
          const money = moneyOf(harness);
          let entries = expectAgreement(harness, []);
          const ids: string[] = [];
          for (const lines of bills) {
            const text = [HEADER, ...lines.map((at) => LINES[at])].join('\n');
            ids.push((await harness.ask('statement.read', { text })).id);
          }
          for (const [at, step] of steps.entries()) {
            if (at === settlesPriceAt) settlePrice(harness);
            const id = ids[step.bill % ids.length] ?? '';
            await take(harness, id, step);
            entries = expectAgreement(harness, entries);
            expect(holds(await harness.ask('statement.get', { id }))).toBe(true);
          }
          const isPriceSettled = settlesPriceAt !== undefined && settlesPriceAt < steps.length;
          const isBack = await takeBack(harness, { ids, mayStay: isPriceSettled });
          entries = expectAgreement(harness, entries);
          if (!isBack) return;
          expect(sumOf(entries, null)).toMatchObject({ charged: 0, low: 0, uncertain: 0 });
          if (!isPriceSettled) expect(moneyOf(harness)).toEqual(money);
          else
            for (const { charged_nano, charged_low_nano } of moneyOf(harness)) {
              expect([0, VIDEO_NANO / 4]).toContain(charged_nano);
              expect(charged_low_nano).toBe(charged_nano);
            }
        } finally {
          await harness.close();
        }
      },
    ),
    { numRuns: 12, examples: [CREDIT_OF_A_DOUBT] },
  );
});

/** At the cheaper of its readings. */
function settlePrice(harness: StatementHarness): void {
  const row = harness.store.read.one<{ price: string }>({ name: 'test.price', text: 'SELECT price FROM jobs' });
  openPriceBook(harness).set(harness.profile, [{ ...JSON.parse(row?.price ?? ''), settledReading: 1 }], 'manual');
}
