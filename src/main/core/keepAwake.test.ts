import { expect, test } from 'vitest';
import { TestClock } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';

/** What keeps the machine awake, by `app.info`. */

const openStudio = studiosOfThisFile();

async function open() {
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const held: boolean[] = [];
  const power = { hold: (awake: boolean) => void held.push(awake) };
  return { clock, held, ...(await openStudio({ host: 'electron', ports: { clock, power } })) };
}

test('a night that is due holds it, a canceled night releases it; the page gets both events', async () => {
  const { held, ask } = await open();
  expect((await ask('app.info')).awake).toBe('free');
  await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
  expect([(await ask('app.info')).awake, held]).toEqual(['held', [true]]);
  await ask('night.stop');
  expect([(await ask('app.info')).awake, held]).toEqual(['free', [true, false]]);
});

test('a request that waits for its time holds it, one that waits for the user does not', async () => {
  const { clock, held, ask } = await open();
  const request = { kind: 'imagine' as const, prompt: 'a lighthouse' };
  await ask('queue.pause');
  await ask('jobs.enqueue', { requests: [request] });
  await clock.advance(1_000);
  expect(held.at(-1) ?? false).toBe(false);
  await ask('jobs.enqueue', { requests: [request], notBefore: clock.now() + 3_600_000 });
  await clock.advance(1_000);
  expect(held.at(-1) ?? false).toBe(false);
  await ask('queue.resume');
  await clock.advance(1_000);
  expect(held.at(-1)).toBe(true);
});

test('a request that takes the place of another holds it by its own time, though the queue has as many', async () => {
  const { clock, held, ask } = await open();
  const enqueue = (hours: number) =>
    ask('jobs.enqueue', {
      requests: [{ kind: 'imagine', prompt: 'a lighthouse' }],
      notBefore: clock.now() + hours * 3_600_000,
    });
  const { jobs } = await enqueue(1);
  await clock.advance(1_000);
  expect(held).toEqual([true]);
  await ask('jobs.cancel', { id: jobs[0]?.id ?? '' });
  await enqueue(30);
  await clock.advance(1_000);
  expect(held).toEqual([true, false]);
});
