import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxProfile } from '../../src/main/core/createStudio.ts';
import { startSandbox } from '../../src/main/sandbox/index.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { lastingPort, listenAt } from '../helpers/lastingPort.ts';
import { TestClock } from '../helpers/testPorts.ts';
import { openStudio } from '../helpers/testStudio.ts';

/**
 * An overnight run over midnight against a whole gateway, with a refusal, a lost reply, ten minutes of outage and a sleeping machine. The
 * report always agrees with the ledger and the bill.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A proxy in front of a server, which can go down like a network. */
async function startLink(target: number) {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const other = net.connect(target, '127.0.0.1');
    for (const one of [socket, other]) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => sockets.delete(one));
    }
    socket.pipe(other).pipe(socket);
  });
  const port = await listenAt(server, await lastingPort());
  const cut = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(cut);
  return { port, cut, restore: () => listenAt(server, port) };
}

async function startNight() {
  const gateway = await startSandbox({
    speed: 'fast',
    media: 'tiny',
    requireKey: false,
    faults: [
      { match: { endpoint: 'video', promptIncludes: 'refused' }, action: { kind: 'filtered', samples: 'all' } },
      { match: { endpoint: 'video', promptIncludes: 'lost' }, action: { kind: 'drop', when: 'after' } },
    ],
  });
  onTestFinished(() => gateway.close());
  const link = await startLink(Number(new URL(gateway.baseUrl).port));
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const sandbox = sandboxProfile({ ...gateway, baseUrl: `http://127.0.0.1:${link.port}` });
  const opened = await openStudio({ ports: { clock }, sandbox });
  onTestFinished(opened.close);
  return { ...opened, clock, link, gateway };
}

const video = (prompt: string): StudioRequest => ({
  kind: 'video',
  model: 'video-standard',
  prompt,
  config: { durationSeconds: 4 },
});

test('report, ledger and bill agree, and each day is charged for what was sent on it', async () => {
  const { ask, events, clock, link, gateway } = await startNight();
  await ask('night.plan', {
    start: '23:00',
    end: '07:00',
    capNano: 100_000_000_000,
    rules: { failuresInRow: 2, goOnInDoubt: true, outageMinutes: 30 },
  });
  const enqueue = async (...prompts: string[]): Promise<string[]> =>
    (await ask('jobs.enqueue', { requests: prompts.map(video), night: true })).jobs.map(({ id }) => id);
  const stateOf = async (id: string) => (await ask('jobs.get', { id })).state;
  /** Advances the clocks of gateway and studio, a second at a time. */
  const until = async (id: string, state: string): Promise<void> => {
    for (let turn = 0; turn < 2_000 && (await stateOf(id)) !== state; turn++) await clock.advance(1_000);
    expect([id, await stateOf(id)]).toEqual([id, state]);
  };
  const [made = '', refused = '', lost = ''] = await enqueue('A quay', 'A quay, refused', 'A quay, lost');
  await clock.advance(3 * HOUR + MINUTE);
  await until(made, 'succeeded');
  await until(refused, 'failed');
  await until(lost, 'uncertain');

  await clock.advance(new Date(2026, 10, 21, 23, 55).getTime() - clock.now());
  await link.cut();
  const afterOutage = await enqueue('A lamp', 'A lamp, again');
  await clock.advance(10 * MINUTE);
  expect((await ask('night.get')).current).toMatchObject({ state: 'open', jobs: { waiting: 2 } });
  await link.restore();
  for (const id of afterOutage) await until(id, 'succeeded');

  // The machine sleeps for an hour; overdue timers fire afterwards.
  clock.set(clock.now() + HOUR);
  const [late = ''] = await enqueue('A ferry');
  await until(late, 'succeeded');
  await clock.advance(new Date(2026, 10, 22, 7, 1).getTime() - clock.now());

  const report = await ask('night.report', {});
  expect(report).toMatchObject({ jobs: 6, made: 4, refused: 1, inDoubt: 1, failed: 0, notRun: 0, complete: true });
  expect(report.run).toMatchObject({ state: 'ended', endedBy: 'window' });
  const bill = gateway.bill();
  const billOf = (has: (prompt: string) => boolean) =>
    bill.entries.filter(({ prompt }) => has(prompt)).reduce((sum, { nano }) => sum + nano, 0);
  expect(report.spent.settledNano).toBe(billOf((prompt) => !prompt.includes('lost')));
  expect(report.spent.uncertainNano).toBeGreaterThanOrEqual(billOf((prompt) => prompt.includes('lost')));
  expect(report.spent.reservedNano).toBe(0);
  const days = await ask('ledger.totals', { groupBy: 'day' });
  expect(days.sum).toMatchObject({
    settledNano: report.spent.settledNano,
    uncertainNano: report.spent.uncertainNano,
    reservedNano: 0,
  });
  expect(days.rows.map(({ key, settledNano }) => [key, settledNano > 0])).toEqual(
    expect.arrayContaining([
      ['2026-11-21', true],
      ['2026-11-22', true],
    ]),
  );
  const over = events.filter((event) => event.type === 'notice').map((event) => 'text' in event && event.text);
  expect(over).toContain('Overnight run 1 is over: 4 made, 1 refused, 1 unconfirmed.');
});
