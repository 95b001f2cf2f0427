import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallName, contract } from '../../src/shared/contract/contract.ts';
import type { Result } from '../../src/shared/contract/result.ts';
import type { Asset, AssetPage, LibraryFacets } from '../../src/shared/library/asset.ts';
import { testPng } from '../helpers/png.ts';
import { electronWire, httpWire, type Wire } from './wires.ts';

const names = Object.keys(contract) as CallName[];

const picture = testPng(320, 180);

const hosts = [
  ['the browser host', httpWire],
  ['the Electron host', electronWire],
] as const;

describe.each(process.env.SHORT ? hosts.slice(0, 1) : hosts)('%s', (_, open) => {
  let wire: Wire;
  beforeAll(async () => {
    wire = await open();
  });
  afterAll(() => wire?.close());

  const data = async <Data>(name: CallName, input?: unknown): Promise<Data> => {
    const result = (await wire.call(name, input)) as Result<Data>;
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
    return result.data;
  };

  test.each(names)('%s answers any input with a result, and refuses input that is not an object', async (name) => {
    expect(await wire.call(name, [])).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    for (const input of [{}, { nonsense: 1 }, 'text', 7]) {
      const result = await wire.call(name, input);
      if (result.ok) expect(result).toHaveProperty('data');
      else
        expect(result.error).toEqual(
          expect.objectContaining({ code: expect.any(String), message: expect.stringMatching(/\S/) }),
        );
    }
  });

  test.each([
    ['jobs.get', { id: 3 }, 'id'],
    ['jobs.get', { id: 'x', also: 1 }, 'also'],
    ['jobs.resolve', { id: 'x', as: 'maybe' }, 'as'],
    ['jobs.enqueue', { requests: [] }, 'requests'],
    ['jobs.enqueue', { requests: [{ kind: 'imagine', prompt: '' }] }, 'requests.0.prompt'],
    ['chat.send', { conversationId: 'x', text: ' ' }, 'text'],
    ['profiles.save', { baseUrl: 'ftp://x' }, 'baseUrl'],
    ['profiles.setKey', { id: 'x', apiKey: 'a b' }, 'apiKey'],
    ['ledger.totals', { groupBy: 'year' }, 'groupBy'],
    ['ledger.estimate', { quantities: [{ kind: 'imagine', quantity: {} }] }, 'quantities.0.quantity.images'],
    ['library.list', { limit: 0 }, 'limit'],
    ['library.facets', { verdict: 'fine' }, 'verdict'],
  ])('%s with %j names the field %s and its rule', async (name, input, field) => {
    const result = await wire.call(name, input);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', data: { field } } });
    expect((result as { error: { message: string } }).error.message).toContain(field);
  });

  test.each(['jobs', 'jobs.nothing', 'toString', '__proto__', ''])(
    'the name %j is refused as an unknown call',
    async (name) => {
      expect(await wire.call(name || 'x')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    },
  );

  test('a call that is too large gets a result with an error', async () => {
    const result = await wire.call('chat.create', { system: 'x'.repeat(3_000_000) });
    expect(result).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });

  test('changes arrive as events on the one stream', async () => {
    const events = await wire.events();
    await data('queue.pause');
    expect((await events.next('queue.changed', ({ status }) => status.paused)).status.paused).toBe(true);
    await data('queue.resume');
    await events.next('queue.changed', ({ status }) => !status.paused);
    await data('settings.set', { theme: 'light' });
    await events.next('settings.changed');
    await events.close();
  });

  test('a stored key is in no answer and in no file', async () => {
    const apiKey = 'sk-must-stay-inside-0123456789';
    await data('profiles.save', { id: 'secretive', name: 'S', baseUrl: 'http://127.0.0.1:9' });
    expect(await data('profiles.setKey', { id: 'secretive', apiKey })).toEqual({ stored: 'memory' });
    const said = [await wire.call('profiles.list'), await wire.call('settings.get'), await wire.call('app.info')];
    expect(JSON.stringify(said)).not.toContain(apiKey);
    for (const file of ['settings.json', 'logs/dailies.log']) {
      expect(readFileSync(join(wire.dataDir, file), 'utf8')).not.toContain(apiKey);
    }
  });

  describe('media', () => {
    let asset: Asset;
    beforeAll(async () => {
      const uploaded = await wire.upload('a picture é.png', picture);
      if (!uploaded.ok) throw new Error(uploaded.error.message);
      asset = uploaded.data;
    });

    test('uploaded bytes become an asset with their exact hash, size and type', () => {
      expect(asset).toMatchObject({
        sha256: createHash('sha256').update(picture).digest('hex'),
        bytes: picture.length,
        mime: 'image/png',
        width: 320,
        height: 180,
        state: 'local',
      });
    });

    test('the bytes come back unchanged', async () => {
      const { status, headers, bytes } = await wire.media(asset.id);
      expect([status, headers['content-type'], headers['content-length']]).toEqual([
        200,
        'image/png',
        String(picture.length),
      ]);
      expect(bytes.equals(picture)).toBe(true);
    });

    test('a range gives 206 and those bytes, a range outside the file gives 416', async () => {
      const part = await wire.media(asset.id, { headers: { range: 'bytes=8-15' } });
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 8-15/${picture.length}`]);
      expect(part.bytes.equals(picture.subarray(8, 16))).toBe(true);
      expect((await wire.media(asset.id, { headers: { range: `bytes=${picture.length}-` } })).status).toBe(416);
    });

    test('HEAD gives the size without the bytes', async () => {
      const head = await wire.media(asset.id, { method: 'HEAD' });
      expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
        200,
        String(picture.length),
        0,
      ]);
    });

    test.each(['nothing', '..%2Fdailies.db', '%2Fetc%2Fpasswd'])('the id %s is not served', async (id) => {
      expect((await wire.media(id)).status).toBe(404);
    });

    test('a file that is neither picture nor clip is refused', async () => {
      expect(await wire.upload('page.png', Buffer.from('<html>no picture</html>'))).toMatchObject({
        ok: false,
        error: { code: 'unsupported_media' },
      });
    });

    test("the caller decides a file's role, not its name", async () => {
      const said = await Promise.all([
        wire.upload('masked ball.png', picture),
        wire.upload('masked ball.png', picture, 'source'),
        wire.upload('harbour.png', picture, 'mask'),
        wire.upload('harbour.png', picture, 'frame'),
      ]);
      expect(said.map((answer) => answer.ok && answer.data.role)).toEqual(['source', 'source', 'mask', 'frame']);
      const listed = await data<AssetPage>('library.list', { roles: ['source'], limit: 10 });
      expect(JSON.stringify(listed)).toContain('masked ball.png');
      const facets = await data<LibraryFacets>('library.facets', { roles: ['source'], states: ['remote'] });
      const here = [{ value: 'local', count: listed.total }];
      expect(facets).toEqual({ type: [], state: here, verdict: [], model: [], project: [], tag: [], starred: [] });
    });

    test('a picture says what it was made from', async () => {
      const made = await wire.upload('restored.png', picture, 'source', asset.id);
      expect(made).toMatchObject({ ok: true, data: { role: 'source', parentId: asset.id } });
      const none = await wire.upload('restored.png', picture, 'source', 'nothing');
      expect(none).toMatchObject({ ok: false, error: { code: 'not_found', data: { field: 'parent' } } });
    });

    test.each(['', 'import', 'output', 'thumbnail', 'Mask'])('the role “%s” is refused by its field', async (role) => {
      expect(await wire.upload('a.png', picture, role)).toMatchObject({
        ok: false,
        error: {
          code: 'invalid_input',
          message: "role: must be 'source', 'mask', or 'frame'.",
          data: { field: 'role' },
        },
      });
    });
  });
});
