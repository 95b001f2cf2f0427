import { afterEach, expect, test } from 'vitest';
import { TestClock, tempDir, testPorts } from '../../../test/helpers/testPorts.ts';
import { profileSchema } from '../../shared/profile.ts';
import { createStudio, type Studio } from './createStudio.ts';

/** What keeps the machine awake, seen from outside (`app.info`). */

const studios: Studio[] = [];
afterEach(async () => {
  for (const studio of studios.splice(0)) await studio.close();
});

async function open() {
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const held: boolean[] = [];
  const sandbox = { ...profileSchema.parse({ baseUrl: 'http://127.0.0.1:9' }), id: 'sandbox', name: 'Sandbox' };
  const ports = testPorts({ clock, power: { hold: (awake) => void held.push(awake) } });
  const studio = await createStudio(ports, { dataDir: tempDir('awake'), host: 'electron', version: '0.0.0', sandbox });
  if (!studio.ok) throw new Error(studio.error.message);
  studios.push(studio.data);
  const ask = async (name: string, input: object = {}) => {
    const answer = await studio.data.call(name, input);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.data as { awake?: string };
  };
  return { clock, held, ask };
}

test('a night that is due holds it, called off it lets go; the page hears of both', async () => {
  const { held, ask } = await open();
  expect((await ask('app.info')).awake).toBe('free');
  await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
  expect([(await ask('app.info')).awake, held]).toEqual(['held', [true]]);
  await ask('night.stop');
  expect([(await ask('app.info')).awake, held]).toEqual(['free', [true, false]]);
});

test('an order that waits for its hour holds it, one that waits for the user does not', async () => {
  const { clock, held, ask } = await open();
  const request = { kind: 'imagine', prompt: 'a lighthouse' };
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

test('the studio that is closed lets it go', async () => {
  const { held, ask } = await open();
  await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
  await studios.splice(0)[0]?.close();
  expect(held).toEqual([true, false]);
});
