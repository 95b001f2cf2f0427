import { expect, test } from 'vitest';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { KeepAwake } from './keepAwake.ts';

const HOUR = 3_600_000;

function harness() {
  const clock = new TestClock();
  const held: boolean[] = [];
  const events: StudioEvent[] = [];
  const work: { at: number | undefined } = { at: undefined };
  const power = { hold: (awake: boolean) => void held.push(awake) };
  const deps = { clock, emit: (event: StudioEvent) => void events.push(event), nextDueAt: () => work.at };
  const awake = new KeepAwake({ ...deps, power });
  return { clock, held, events, work, awake, without: new KeepAwake({ ...deps, power: undefined }) };
}

test('it is held while there is work, released afterwards, and each change is announced once', () => {
  const { held, events, work, awake } = harness();
  awake.update();
  work.at = 0;
  awake.update();
  awake.update();
  expect([held, awake.state()]).toEqual([[true], 'held']);
  work.at = undefined;
  awake.update();
  expect([held, awake.state()]).toEqual([[true, false], 'free']);
  expect(events).toEqual([
    { type: 'awake.changed', awake: 'held' },
    { type: 'awake.changed', awake: 'free' },
  ]);
});

test('a night of tomorrow holds it from twelve hours before', async () => {
  const { clock, held, work, awake } = harness();
  work.at = clock.now() + 30 * HOUR;
  awake.update();
  await clock.advance(18 * HOUR - 1);
  expect(held).toEqual([]);
  await clock.advance(1);
  expect(held).toEqual([true]);
});

test('a night that is called off lets it go, and one that is moved away too', () => {
  const { clock, held, work, awake } = harness();
  work.at = clock.now() + HOUR;
  awake.update();
  work.at = clock.now() + 20 * HOUR;
  awake.update();
  expect(held).toEqual([true, false]);
});

test('closed, it releases the machine and does not hold it again', async () => {
  const { clock, held, work, awake } = harness();
  work.at = clock.now() + HOUR;
  awake.update();
  awake.close();
  awake.update();
  await clock.advance(40 * HOUR);
  expect(held).toEqual([true, false]);
});

test('a host that cannot hold the machine says so, and announces nothing else', () => {
  const { events, work, without } = harness();
  work.at = 0;
  without.update();
  expect([without.state(), events]).toEqual(['cannot', []]);
});
