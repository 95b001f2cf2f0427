import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { clientOf, KEY, SEND } from '../../../../../test/helpers/gateway/client.ts';
import {
  chunk,
  type RawServer,
  reply,
  STREAM_END,
  STREAM_HEAD,
} from '../../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../../test/helpers/gateway/serversOfThisFile.ts';
import type { DialectMemory, Gateway, RemoteTask } from '../types.ts';

/** The key is sent to the profile's own origin and to no other host, however an answer, a file or a database row spells an address. */

const serve = serversOfThisFile();
const VIDEO = { model: 'video-pro', prompt: 'a tide', config: {} };
const RUNNING = { id: 'task-1', status: 'processing' };

/** Another host, which must never receive the key; it answers as if it knew everything. */
let elsewhere: RawServer;
/** The answer of the profile's own host to the submit; after that it knows no address. */
let home: RawServer;
let answer: (path: string) => string;
beforeEach(async () => {
  elsewhere = await serve((_request, socket) =>
    socket.write(reply(200, { id: 'task-1', status: 'succeeded', video_url: `${elsewhere.url}/a.mp4` })),
  );
  home = await serve((request, socket) => socket.write(answer(request.path)));
  answer = () => reply(404, { error: { message: 'Not found' } });
});

const place = (form: string): string =>
  form.replaceAll('HOME', home.url).replaceAll('HOST', `127.0.0.1:${elsewhere.port}`);

/** Spellings of another host that look like a path at the profile's origin. */
const FORMS = [
  '//HOST/x/task-1',
  '/.//HOST/x/task-1',
  '/..//HOST/x/task-1',
  '/x/..//HOST/x/task-1',
  '/%2e//HOST/x/task-1',
  '/x/%2E%2e//HOST/x/task-1',
  '\\\\HOST/x/task-1',
  '/\\HOST/x/task-1',
  '\\/HOST/x/task-1',
  '/\t/HOST/x/task-1',
  '/\n\\HOST/x/task-1',
  '///HOST/x/task-1',
  'HOME//HOST/x/task-1',
  'HOME/.//HOST/x/task-1',
  'HOME\\\\HOST/x/task-1',
  'HOME/\t/HOST/x/task-1',
  'HOME@HOST/x/task-1',
  'http://HOST/x/task-1',
  'HTTP://HOST/x/task-1',
  'http:HOST/x/task-1',
  'http:\\\\HOST\\x/task-1',
  'http://user:word@HOST/x/task-1',
  '@HOST/x/task-1',
  ':@HOST/x/task-1',
  '/%2f%2fHOST/x/task-1',
  '/%5cHOST/x/task-1',
];

function keptAtHome(): void {
  expect(elsewhere.requests.map(({ path, headers }) => ({ path, headers }))).toEqual([]);
}

/** Bytes may be fetched from other hosts, without any secret. */
function noKeyElsewhere(): void {
  expect(JSON.stringify(elsewhere.requests)).not.toContain(KEY);
}

async function orderAndFollow(gateway: Gateway): Promise<void> {
  const ordered = await gateway.submitVideo(VIDEO, SEND);
  if (ordered.type === 'accepted') {
    expect(ordered.task.pollPath ?? '/').toMatch(/^\/(?![/\\])/);
    await gateway.poll(ordered.task);
  }
}

test.each(FORMS)('a poll address %j of an answer leads the key to no other host', async (form) => {
  for (const body of [
    { ...RUNNING, polling_url: place(form) },
    { ...RUNNING, urls: { get: place(form) } },
    { ...RUNNING, response_url: place(form) },
    { choices: [{ message: { content: `Task id: task-1\n[progress](${place(form)})` } }] },
    { choices: [{ message: { content: `Queued. Status page: ${place(form)}` } }] },
  ]) {
    answer = (path) => (path === '/v1/chat/completions' ? reply(200, body) : reply(404, {}));
    await orderAndFollow(clientOf(home.url).gateway);
  }
  answer = (path) =>
    path === '/v1/chat/completions'
      ? reply(202, RUNNING, { 'operation-location': place(form).replaceAll(/[\t\n]/g, '') })
      : reply(404, {});
  await orderAndFollow(clientOf(home.url).gateway);
  keptAtHome();
});

test.each(FORMS)('an event stream and an image answer that say %j lead nowhere else', async (form) => {
  home = await serve((request, socket) => {
    if (request.path !== '/v1/chat/completions')
      return socket.write(reply(200, { jobId: 'task-1', status: 'IN_PROGRESS', statusUrl: place(form) }));
    const delta = { choices: [{ delta: { content: `task-1 is queued: [status](${place(form)}) ` } }] };
    socket.write(STREAM_HEAD);
    return socket.write(
      Buffer.concat([chunk(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`), Buffer.from(STREAM_END)]),
    );
  });
  const { gateway } = clientOf(home.url);
  await orderAndFollow(gateway);
  const pictured = await gateway.submitImagine({ prompt: 'a hill', mode: 'fast' }, SEND);
  if (pictured.type === 'accepted') await gateway.poll(pictured.task);
  keptAtHome();
});

test.each(FORMS)('a stored poll path, profile or memory with %j is checked again when it is read', async (form) => {
  const path = place(form);
  const template = path.replace('task-1', '{id}');
  const memory: DialectMemory = { videoPollPath: template, pricesPath: path, balancePath: path };
  const { gateway } = clientOf(home.url, {}, { apiKey: KEY }, memory);
  for (const kind of ['video', 'image'] as const) {
    const task: RemoteTask = { id: 'task-1', kind, acceptedAt: 0, pollPath: path };
    await gateway.poll(task);
    await gateway.poll({ ...task, id: path });
  }
  await gateway.listPrices();
  await gateway.balance();
  keptAtHome();
});

test.each(FORMS)('a finished task whose result is at %j is fetched without the key', async (form) => {
  answer = () =>
    reply(200, {
      id: 'task-1',
      status: 'succeeded',
      response_url: place(form),
      result_url: place(form),
      url: place(form),
    });
  const { gateway } = clientOf(home.url);
  const outcome = await gateway.poll({ id: 'task-1', kind: 'video', acceptedAt: 0, pollPath: '/v1/tasks/task-1' });
  keptAtHome();
  if (outcome.type === 'done') for (const { uri } of outcome.outputs) await gateway.fetchMedia(uri, {});
  await gateway.fetchMedia(place(form), {});
  noKeyElsewhere();
});

test.each([...FORMS, 'http://127.0.0.1.:PORT/x', 'http://[::1]:PORT/x', 'http://localhost:PORT/x'])(
  'a redirect to %j takes no key along',
  async (form) => {
    const location = place(form)
      .replace('PORT', String(elsewhere.port))
      .replaceAll(/[\t\n]/g, '');
    answer = () => reply(307, '', { location });
    const { gateway } = clientOf(home.url);
    await gateway.submitVideo(VIDEO, SEND);
    await gateway.submitImagine({ prompt: 'a hill', mode: 'fast' }, SEND);
    await gateway.poll({ id: 'task-1', kind: 'video', acceptedAt: 0, pollPath: '/v1/tasks/task-1' });
    await gateway.poll({ id: 'task-1', kind: 'image', acceptedAt: 0 });
    await gateway.listPrices();
    await gateway.balance();
    await gateway.test();
    keptAtHome();
    await gateway.fetchMedia(`${home.url}/v1/videos/x/content`, {});
    noKeyElsewhere();
  },
);

test('the same host by another port, scheme or spelling is another place', async () => {
  const { port } = elsewhere;
  for (const base of [
    home.url,
    home.url.replace('127.0.0.1', 'LOCALHOST'),
    `${home.url}/`,
    `${home.url}/v1`,
    `${home.url}/team/a`,
  ]) {
    const { gateway } = clientOf(base);
    for (const uri of [
      `http://127.0.0.1:${port}/x`,
      `http://localhost:${port}/x`,
      `HTTP://LocalHost.:${port}/x`,
      `http://[::1]:${port}/x`,
    ]) {
      await gateway.fetchMedia(uri, {});
      await gateway.poll({ id: 'task-1', kind: 'video', acceptedAt: 0, pollPath: uri });
    }
  }
  noKeyElsewhere();
  expect(elsewhere.requests.every(({ path }) => path === '/x' || path === '/a.mp4')).toBe(true);
});

test("a poll address with two slashes at the profile's origin is polled there", async () => {
  answer = (path) =>
    reply(200, path === '/deep/task-1' ? RUNNING : { ...RUNNING, polling_url: `${home.url}//deep/task-1` });
  const { gateway } = clientOf(home.url);
  const ordered = await gateway.submitVideo(VIDEO, SEND);
  expect(ordered).toMatchObject({ type: 'accepted', task: { pollPath: '/deep/task-1' } });
  if (ordered.type === 'accepted') expect(await gateway.poll(ordered.task)).toMatchObject({ type: 'running' });
});

const pieces = ['\t', '\n', ' ', ...'/ \\ . .. %2e %2f @ : // ? # x HOST HOME http: {id} % [::1] \u3002'.split(' ')];

test('no path made of these pieces takes the key elsewhere', async () => {
  const bases = ['', '/', '/team', '/team/a/'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }),
      fc.constantFrom(...bases),
      async (parts, base) => {
        const path = place(parts.join(''));
        const memory: DialectMemory = { videoPollPath: path, pricesPath: path, balancePath: path };
        const { gateway } = clientOf(home.url + base, {}, { apiKey: KEY }, memory);
        await gateway.poll({ id: 'task-1', kind: 'video', acceptedAt: 0, pollPath: path });
        await gateway.poll({ id: path, kind: 'image', acceptedAt: 0, pollPath: path });
        await gateway.close();
        keptAtHome();
      },
    ),
    { numRuns: 60 },
  );
});
