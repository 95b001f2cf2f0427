import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import {
  closeAfterEach,
  type Downloading,
  downloading,
  file,
  HOUR,
  PICTURE,
  reply,
  sha256,
  startDownloadHarness,
  until,
} from '../../../../../test/helpers/downloadHarness.ts';
import { acceptance, error, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import type { PollOutcome } from '../../gateway/index.ts';
import { sql } from '../../store/index.ts';
import { contentPath } from '../content/contentStore.ts';
import { MIN_FREE_BYTES } from './download.ts';
import { MAX_RENEWALS } from './downloadDecision.ts';

/** A link ends, and the service still has the task that made the result: a poll of it costs nothing and names a new link. */

closeAfterEach();
const paid = { chargedNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 };
const arrived = { state: 'succeeded', money: paid };
const givenUp = { state: 'failed', outputs: [{ state: 'expired' }], money: paid };
const unreachable: PollOutcome = { type: 'unreachable', error: error({ kind: 'network', retryable: true }) };
/** In place of the task. */
const aPage: PollOutcome = {
  type: 'unreachable',
  error: error({ kind: 'invalid', wrongAddress: true, retryable: false }),
};
const forLong = (outcome: PollOutcome) => Array.from({ length: 1_000 }, () => outcome);

/** A job whose link has ended, as all under `/ended` have; `named` makes its task name others. */
async function endedLink(outputs: Parameters<typeof downloading>[1] = { outputs: ['/ended'] }) {
  const one = await downloading(
    ({ path }, socket) => socket.end(path.startsWith('/ended') ? reply(410, '') : file(PICTURE)),
    outputs,
  );
  const { script } = one.harness;
  return { ...one, script, named: (...paths: string[]) => named(one, ...paths) };
}

const named = ({ server }: Pick<Downloading, 'server'>, ...paths: string[]): PollOutcome => ({
  type: 'done',
  outputs: paths.map((path) => ({ uri: server.url + path, role: 'output' })),
});

test('a result whose link has ended comes by the link that its task names now, and is ordered and paid once', async () => {
  const { server, script, ends, named } = await endedLink({ outputs: ['/ended', '/b'] });
  script.poll.push(named('/a', '/b'));
  const job = await ends();
  expect(job).toMatchObject(arrived);
  expect(job.outputs.map(({ state, sha256: hash, fault }) => [state, hash, fault])).toEqual(
    [0, 1].map(() => ['local', sha256(PICTURE), undefined]),
  );
  expect(server.requests.map(({ path }) => path).sort()).toEqual(['/a', '/b', '/ended']);
  expect(script).toMatchObject({ sent: 1, polled: 2 });
});

test.each([
  ['cannot be asked now', unreachable, 0],
  ['answers with a page in place of the task', aPage, 0],
  ['cannot be asked long after the announced end of the link', unreachable, 72],
])('a gateway that %s is asked until it answers', async (_what, outcome, laterHours) => {
  const expiresAt = Date.UTC(2026, 10, 21, 13);
  const output = laterHours > 0 ? { uri: '/ended', expiresAt } : '/ended';
  const { harness, script, job, output: result, ends, named } = await endedLink({ outputs: [output] });
  script.poll.push(...forLong(outcome));
  await until(harness, () => script.polled > 3);
  harness.clock.set(harness.clock.now() + laterHours * HOUR);
  await harness.clock.advance(5 * 60_000);
  expect(job().state).toBe('fetching');
  expect(result()?.fault).toMatch(/has ended.*asks/);
  script.poll = [named('/a')];
  expect(await ends()).toMatchObject(arrived);
  expect(script.sent).toBe(1);
});

test('a page after the announced end of a link is reason enough to ask the task, and without another link it is asked again', async () => {
  const page = reply(200, '<!doctype html>Over', { 'content-type': 'text/html' });
  const one = await downloading(({ path }, socket) => socket.end(path === '/ended' ? page : file(PICTURE)), {
    outputs: [{ uri: '/ended', expiresAt: Date.UTC(2026, 10, 21, 11) }],
  });
  one.harness.script.poll.push({ type: 'missing' }, unreachable, named(one, '/a'));
  expect(await one.ends()).toMatchObject(arrived);
  expect(one.server.requests.map(({ path }) => path)).toEqual(['/ended', '/ended', '/ended', '/a']);
});

test('a task that cannot be asked for by an exception is asked for again, within the time of its result', async () => {
  const { harness, script, output, ends, named } = await endedLink();
  const answers = vi.spyOn(script.poll, 'shift').mockReturnValueOnce(named('/ended'));
  answers.mockImplementation(() => {
    throw new Error('a driver broke');
  });
  await until(harness, () => script.polled > 3);
  expect(output()?.fault).toMatch(/has ended.*asks/);
  harness.clock.set(harness.clock.now() + 15 * 24 * HOUR);
  expect(await ends()).toMatchObject(givenUp);
});

test.each<[string, (one: Awaited<ReturnType<typeof endedLink>>) => PollOutcome]>([
  ['is not known any more', () => ({ type: 'missing' })],
  ['names the link that has ended', ({ named }) => named('/ended')],
  ['names another number of results', ({ named }) => named('/a', '/b')],
  ['has failed', () => ({ type: 'failed', error: error(), billed: 'no' })],
  ['cannot be asked for, as the service says', () => ({ type: 'unreachable', error: error({ kind: 'invalid' }) })],
])('a result whose link has ended and whose task %s is given up, and its charge stands', async (_what, outcome) => {
  const one = await endedLink();
  one.script.poll.push(outcome(one));
  expect(await one.ends()).toMatchObject(givenUp);
  expect(one.script).toMatchObject({ sent: 1, polled: 2 });
});

test('links that have all ended are asked for a few times', async () => {
  const { server, script, ends, named } = await endedLink();
  script.poll.push(...Array.from({ length: 1_000 }, (_, n) => named(`/ended/${n}`)));
  expect(await ends()).toMatchObject(givenUp);
  expect(server.requests.length).toBeLessThanOrEqual(4);
});

/** Its links work for an hour each, as long as the task is asked for the next one; the disk is full. */
async function hourlyLinks() {
  const disk = { free: MIN_FREE_BYTES + 10 };
  let now = () => 0;
  const linkNow = (): string => `/${Math.floor(now() / HOUR)}`;
  const one = await downloading(({ path }, socket) => socket.end(path === linkNow() ? file(PICTURE) : reply(410, '')), {
    freeBytes: () => disk.free,
  });
  now = one.harness.clock.now;
  one.harness.script.submit = [acceptance(one.harness.clock)];
  vi.spyOn(one.harness.script.poll, 'shift').mockImplementation(() => named(one, linkNow()));
  await one.until(() => one.output()?.fault === 'The disk is full.');
  return { ...one, disk };
}

test('links that end while the disk is full are asked for anew until there is room', async () => {
  const { server, harness, disk, ends } = await hourlyLinks();
  for (let hour = 0; hour < 8; hour++) {
    harness.clock.set(harness.clock.now() + HOUR);
    await harness.clock.advance(5 * 60_000);
  }
  expect(new Set(server.requests.map(({ path }) => path)).size).toBeGreaterThan(MAX_RENEWALS + 2);
  disk.free = 1e12;
  expect(await ends()).toMatchObject(arrived);
  expect(harness.script.sent).toBe(1);
});

test('a new link that cannot be written down is asked for again until it can', async () => {
  const { harness, disk, ends } = await hourlyLinks();
  disk.free = 1e12;
  harness.clock.set(harness.clock.now() + HOUR);
  const asked = harness.script.polled + MAX_RENEWALS;
  const { transaction } = harness.store;
  harness.store.transaction = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await until(harness, () => harness.script.polled >= asked);
  harness.store.transaction = transaction;
  expect(await ends()).toMatchObject(arrived);
});

test('the result of a canceled job comes by the link that its task names now, also after a restart', async () => {
  const { server, harness, script, id, named } = await endedLink();
  harness.engine.commands.cancel(id);
  script.poll.push(...forLong(unreachable));
  await until(harness, () => script.polled > 2);
  await harness.end();
  const next = startDownloadHarness(server, { dataDir: harness.dataDir, clock: harness.clock });
  next.script.poll = [named('/a')];
  await until(next, () => next.job(id).outputs[0]?.state === 'local');
  expect(next.job(id)).toMatchObject({ state: 'canceled', money: paid });
  await next.clock.advance(2 * HOUR);
  expect([next.script.polled, next.script.sent, script.sent]).toEqual([1, 0, 1]);
});

test('what was given up comes by a new link when the user asks for it', async () => {
  const { harness, script, job, output, ends, named, until: untilIt } = await endedLink();
  script.poll.push({ type: 'missing' });
  const before = await ends();
  script.poll.push(named('/a'));
  expect((await harness.library.download(before.outputs[0]?.id ?? '')).ok).toBe(true);
  await untilIt(() => output()?.state === 'local');
  expect(job().money).toEqual(before.money);
  expect(script.sent).toBe(1);
});

test('what waits with its last link is asked for anew when the user asks for it', async () => {
  let isThere = true;
  const one = await downloading(
    ({ path }, socket) =>
      socket.end(path === '/new' ? file(PICTURE) : reply(path === '/last' && isThere ? 404 : 410, '')),
    { outputs: ['/ended'] },
  );
  one.harness.script.poll.push(...['/a', '/b', '/last', '/new'].map((path) => named(one, path)));
  await one.until(() => (one.output()?.fault ?? '').includes('404'));
  isThere = false;
  expect((await one.harness.library.download(one.output()?.id ?? '')).ok).toBe(true);
  expect(await one.ends()).toMatchObject(arrived);
});

test('a damaged file is fetched again by a new link', async () => {
  const { server, harness, script, output, ends, named, until: untilIt } = await endedLink({ outputs: ['/a'] });
  await ends();
  const location = contentPath(harness.dataDir, sha256(PICTURE), 'png');
  fs.writeFileSync(location, 'rotten');
  harness.store.transaction((db) =>
    db.run(sql('test.endedLink', 'UPDATE assets SET remote_uri = $uri'), { uri: `${server.url}/ended` }),
  );
  script.poll.push(named('/b'));
  expect((await harness.library.download(output()?.id ?? '', true)).ok).toBe(true);
  await untilIt(() => fs.readFileSync(location).length === PICTURE.length && output()?.state === 'local');
  expect(output()?.fault).toBeUndefined();
});
