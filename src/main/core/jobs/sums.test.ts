import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';

const start = engineHarnesses();

test('while jobs go on changing, the sums are counted four times a second, and the last ones are told', async () => {
  const harness = start();
  const { clock, engine, events } = harness;
  engine.commands.setPaused(true);
  await clock.advance(1_000);
  const sums = () => events.flatMap((event) => (event.type === 'queue.changed' ? event.status : []));
  const before = sums().length;
  for (let n = 0; n < 40; n++) {
    await harness.enqueue(aVideo);
    await clock.advance(25);
  }
  expect(sums().length - before).toBeLessThanOrEqual(1_000 / 250 + 1);
  await clock.advance(250);
  expect(sums().at(-1)).toMatchObject({ waiting: 40 });
});

test('the first change after a while is told at once', async () => {
  const harness = start();
  const { clock, engine, events } = harness;
  engine.commands.setPaused(true);
  await clock.advance(1_000);
  await harness.enqueue(aVideo);
  await clock.advance(25);
  expect(events.filter((event) => event.type === 'queue.changed').at(-1)).toMatchObject({ status: { waiting: 1 } });
});
