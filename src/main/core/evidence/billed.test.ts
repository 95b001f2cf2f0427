import { expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { evidenceOf } from '../../../../test/helpers/evidenceOf.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { openStatements, type StatementHarness } from '../../../../test/helpers/statementHarness.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { EvidencePreview } from '../../../shared/evidence/calls.ts';
import { billedLines } from '../statements/index.ts';

/** A dispute states the bills' lines for a job, as the statement matched them. */

async function preview(one: StatementHarness, ...jobIds: string[]): Promise<EvidencePreview> {
  const answer = (await evidenceOf(one)['evidence.preview']({ jobIds, redact: [] })) as Result<EvidencePreview>;
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
}

const AT = '2026-11-03T10:00:00Z';
const HEADER = 'started_at,operation,idempotency_key,model,units,amount_usd';
const bill = (...lines: string[]): string =>
  [HEADER, ...lines.map((line) => `2026-11-03T10:00:01Z,${line}`)].join('\n');

test.each([
  ['by the end of its id', 'operations/abc', 'abc,,video-standard,4,3.2'],
  ['by what its id ends with', 'abc', 'projects/p/operations/abc,,video-standard,4,3.2'],
  ['by its id in another column', 'operations/abc', ',operations/abc,video-standard,4,3.2'],
])('a line that is found %s is what is billed, once it is kept as it differs', async (_, task, line) => {
  const one = openStatements();
  const { id } = await one.make(AT, task, aVideo);
  const read = await one.ask('statement.read', { text: bill(line) });
  expect(read.differs).toMatchObject([{ jobId: id, billNano: 3_200_000_000, ledgerNano: VIDEO_NANO }]);
  await one.ask('statement.settle', { id: read.id, lines: read.differs.map((each) => each.id), as: 'keep' });
  const { differ, sums } = await preview(one, id);
  expect(differ).toMatchObject([{ jobId: id, figures: { billedNano: 3_200_000_000 } }]);
  expect(sums.billedNano).toBe(3_200_000_000);
});

test('a line with the key that the job was sent with is billed for it, and the key leaves with nothing', async () => {
  const one = openStatements();
  const { id } = await one.make(AT, 'operations/abc', aVideo);
  const key = one.keyOf();
  await one.ask('statement.read', { text: bill(`,${key},video-standard,,3.2`) });
  const shown = await preview(one, id);
  expect(shown.differ).toMatchObject([{ figures: { billedNano: 3_200_000_000 } }]);
  expect(JSON.stringify(shown)).not.toContain(key);
});

test('all lines of the newest bill count, each once, but none that the user matched with another job', async () => {
  const one = openStatements();
  const { id } = await one.make(AT, 'operations/abc', aVideo);
  const { id: other } = await one.make('2026-11-03T10:00:30Z', 'operations/def', aVideo);
  await one.ask('statement.read', { text: bill('abc,,video-standard,4,3.2') });
  one.clock.set(one.clock.now() + 1_000);
  const lines = ['abc,operations/abc,video-standard,4,2', 'operations/abc,,video-standard,4,0.5', 'abc,,other,,7'];
  const read = await one.ask('statement.read', { text: bill(...lines) });
  await one.ask('statement.match', { id: read.id, line: 'b4', jobId: other });
  const { differ } = await preview(one, id, other);
  expect(differ.map(({ jobId, figures }) => [jobId, figures.billedNano])).toEqual([
    [other, 7_000_000_000],
    [id, 2_500_000_000],
  ]);
});

test('what several bills have for a job is billed together, but none of their copies', async () => {
  const one = openStatements();
  const { id } = await one.make(AT, 'operations/abc', aVideo);
  const billed = async (at: string): Promise<EvidencePreview> => {
    one.clock.set(one.clock.now() + 1_000);
    await one.ask('statement.read', { text: [HEADER, `${at},abc,,video-standard,4,1.6`].join('\n') });
    return preview(one, id);
  };
  expect((await billed('2026-11-03T10:00:01Z')).sums).toMatchObject({ billedNano: VIDEO_NANO, askedBackNano: 0 });
  const twice = { billedNano: 2 * VIDEO_NANO, askedBackNano: VIDEO_NANO };
  expect((await billed('2026-12-05T10:00:00Z')).sums).toMatchObject(twice);
  // The first once more, in another zone.
  expect((await billed('2026-11-03T19:00:01Z')).sums).toMatchObject(twice);
});

test('a line that is entered besides what a job is charged is billed besides it', async () => {
  const one = openStatements();
  const { id } = await one.make(AT, 'operations/abc', aVideo);
  await one.ask('statement.read', { text: bill('abc,,video-standard,4,1.6') });
  for (const [at, nano, billedNano] of [
    ['2026-12-05T10:00:00Z', '1.6', 2 * VIDEO_NANO],
    ['2027-01-05T10:00:00Z', '-1.6', VIDEO_NANO],
  ] as const) {
    const read = await one.ask('statement.read', { text: [HEADER, `${at},abc,,video-standard,4,${nano}`].join('\n') });
    await one.ask('statement.settle', { id: read.id, lines: ['b2'], as: 'adopt' });
    expect((await preview(one, id)).sums.billedNano).toBe(billedNano);
  }
});

test('the lines of jobs are found by indexes', () => {
  const one = openStatements();
  const db = withPlans(one.store.read);
  billedLines(db, 'p', [{ id: 'job', names: ['a/b', 'key'] }]);
  const [{ plan = '' } = {}] = db.plans;
  for (const index of ['remote', 'part', 'key'])
    expect(plan).toContain(`SEARCH l USING INDEX statement_lines_by_${index}`);
  expect(plan).toContain('SEARCH d USING INDEX statement_decisions_by_job');
  expect(plan).toContain('SEARCH o USING INDEX statement_decisions_by_hash');
  expect(plan).not.toMatch(/SCAN [ldos]\b/);
});
