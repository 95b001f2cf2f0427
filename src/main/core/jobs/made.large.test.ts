import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { DOLLAR, HOUR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';

const start = nightsOfThisFile();

test('all jobs of a night that were made are read page by page, each once, in the order in which they were ordered', async () => {
  const harness = start();
  harness.plan({ capNano: 1_000 * DOLLAR });
  harness.allSucceed();
  const ids = await harness.fill(103);
  const apart = await harness.enqueue(aVideo);
  await harness.clock.advance(3 * HOUR + 1_000);
  // The service takes so many a minute.
  for (let minute = 0; minute < 60 && ids.some((id) => harness.job(id).state !== 'succeeded'); minute++)
    await harness.clock.advance(60_000);
  for (const id of [...ids, apart.id]) await harness.untilEnd(id);
  const runId = harness.job(ids[0] ?? '').runId ?? '';
  const { queries } = harness.engine;
  const first = queries.made({ runId });
  expect(first.jobs).toHaveLength(100);
  const rest = queries.made({ runId, cursor: first.nextCursor });
  expect(rest.nextCursor).toBeUndefined();
  expect([...first.jobs, ...rest.jobs].map(({ id }) => id)).toEqual(ids);
  const last = Math.max(...ids.map((id) => harness.job(id).finishedAt ?? 0));
  expect([first.lastEndedAt, rest.lastEndedAt]).toEqual([last, last]);
  // Since a moment they are those of any night and of none.
  const since = queries.made({ since: 0 });
  const others = queries.made({ since: 0, cursor: since.nextCursor });
  expect([...since.jobs, ...others.jobs]).toHaveLength(104);
  expect(queries.made({ since: last + 1_000_000 })).toEqual({ jobs: [] });
});
