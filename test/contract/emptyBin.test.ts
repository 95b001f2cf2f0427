import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Asset } from '../../src/shared/asset.ts';
import type { Result } from '../../src/shared/result.ts';
import { type Host, startHost } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.stop());

const put = async (side: number): Promise<Asset> => {
  const response = await host.request(`/media?name=${side}.png`, { method: 'PUT', body: testPng(side, 16) });
  const answer = (await response.json()) as Result<Asset>;
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
};
const ask = async (name: string, input: object = {}) => {
  const headers = { 'content-type': 'application/json' };
  const response = await host.request(`/rpc/${name}`, { method: 'POST', headers, body: JSON.stringify(input) });
  return (await response.json()) as { ok: boolean; data: unknown; error?: { code: string; message: string } };
};

test('a tool empties the bin: what it frees is told exactly, and is served no more', async () => {
  const [gone, kept] = [await put(8), await put(9)];
  expect(await ask('library.bin', { ids: [gone.id] })).toEqual({ ok: true, data: { bytes: gone.bytes } });
  const emptied = await ask('library.emptyBin');
  expect(emptied).toEqual({ ok: true, data: { files: 1, bytes: gone.bytes, items: 1, kept: [] } });
  expect((await host.request(`/media/${gone.id}`)).status).toBe(404);
  expect((await host.request(`/media/${kept.id}`)).status).toBe(200);
  expect(await ask('library.emptyBin', { ids: [kept.id] })).toMatchObject({
    ok: false,
    error: { code: 'not_found', message: 'ids.0: is not in the bin.' },
  });
  expect(await ask('library.emptyBin', { all: true })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
});
