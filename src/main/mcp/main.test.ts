import { PassThrough, Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { fail, ok } from '../../shared/contract/result.ts';
import { serveMcp } from './main.ts';

const ASSET = {
  id: 'a1',
  name: 'Quay',
  mime: 'image/png',
  state: 'ready',
  sha256: '',
  width: 0,
  height: 0,
  createdAt: 0,
};
const turn = () => new Promise((done) => setImmediate(done));

vi.mock('./studio.ts', () => ({
  studioOf: () => ({
    async call(name: string, { id }: { id?: string }) {
      // A studio answers after its client is gone.
      for (let turns = 0; turns < 20; turns += 1) await turn();
      if (name === 'projects.list') return ok({ projects: [] });
      if (name === 'library.list') return ok({ assets: [ASSET], total: 1 });
      return name === 'library.get' && id === 'a1' ? ok(ASSET) : fail('not_found', 'There is no such file.');
    },
  }),
}));

const OPENING = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'A pipe', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

/** A program pipes its requests in and closes the pipe at once. */
async function piped(requests: readonly object[], end = '\n') {
  const text = [...OPENING, ...requests].map((one) => JSON.stringify({ jsonrpc: '2.0', ...one })).join('\n') + end;
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await serveMcp([], { stdin: Readable.from([Buffer.from(text)], { objectMode: false }), stdout, stderr });
  const lines = String(stdout.read() ?? '')
    .split('\n')
    .filter((line) => line !== '');
  const answers = lines.map((line) => JSON.parse(line) as { id?: number; result?: Answered; error?: { code: number } });
  return { code, answers: new Map(answers.filter(({ id }) => id !== undefined).map((one) => [one.id, one])) };
}

interface Answered {
  contents?: { mimeType?: string }[];
  content?: { type: string; mimeType?: string }[];
}

const read = (id: number, asset: string) => ({
  id,
  method: 'resources/read',
  params: { uri: `dailies://asset/${asset}` },
});

test.each(['\n', ''])(
  'requests that are piped in are answered before it ends, their last line ended by %j',
  async (end) => {
    const { code, answers } = await piped([{ id: 1, method: 'tools/list' }, read(2, 'a1')], end);
    expect([code, [...answers.keys()].sort()]).toEqual([0, [0, 1, 2]]);
    expect(answers.get(2)?.result?.contents).toHaveLength(1);
  },
);

test('a request that is called off keeps nobody waiting', async () => {
  const { answers } = await piped([read(1, 'a1'), { method: 'notifications/cancelled', params: { requestId: 1 } }]);
  expect(answers.has(0)).toBe(true);
});

test('an asset that is not there is an error, and what a link leads to has the type that the link says', async () => {
  const call = { id: 3, method: 'tools/call', params: { name: 'search_library', arguments: {} } };
  const { answers } = await piped([read(1, 'none'), read(2, 'a1'), call]);
  expect(answers.get(1)).toMatchObject({ error: { code: -32602 } });
  const link = answers.get(3)?.result?.content?.find(({ type }) => type === 'resource_link');
  expect([link?.mimeType, answers.get(2)?.result?.contents?.[0]?.mimeType]).toEqual([
    'application/json',
    'application/json',
  ]);
});
