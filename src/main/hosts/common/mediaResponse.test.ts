import { randomBytes } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetResponse, mediaResponse } from './mediaResponse.ts';

const SIZE = 700_001;
const bytes = randomBytes(SIZE);
let folder: string;
const file = (more = {}) => ({
  path: join(folder, 'clip'),
  mime: 'video/mp4',
  bytes: SIZE,
  sha256: 'abc',
  name: 'a "clip" é.mp4',
  ...more,
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-media-'));
  writeFileSync(join(folder, 'clip'), bytes);
  utimesSync(join(folder, 'clip'), 1, 1);
  writeFileSync(join(folder, 'empty'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  mediaResponse(file(), method, new Headers(headers));
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('a file that takes the place of another is another version, and is asked for soon', async () => {
  const place = join(folder, 'mended');
  const from = (headers: Record<string, string>) =>
    mediaResponse(file({ path: place, bytes: 3 }), 'GET', new Headers(headers));
  writeFileSync(place, 'bad');
  utimesSync(place, 1, 1);
  const before = await from({});
  const etag = before.headers.get('etag') ?? '';
  expect(before.headers.get('cache-control')).toBe('private, max-age=60');
  expect((await bodyOf(before)).toString()).toBe('bad');
  expect((await from({ 'if-none-match': etag })).status).toBe(304);
  writeFileSync(`${place}.part`, 'new');
  renameSync(`${place}.part`, place);
  const after = await from({ 'if-none-match': etag });
  expect([after.status, (await bodyOf(after)).toString()]).toEqual([200, 'new']);
  expect((await from({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(200);
  expect((await from({ range: 'bytes=0-0', 'if-range': after.headers.get('etag') ?? '' })).status).toBe(206);
});

test('the whole file comes unchanged, with its size, type and tag', async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-length': String(SIZE),
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    etag: '"abc-1000"',
    'content-disposition': "inline; filename*=UTF-8''a%20%22clip%22%20%C3%A9.mp4",
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect((await bodyOf(response)).equals(bytes)).toBe(true);
});

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=100-300099', 100, 300_099],
  ['bytes=700000-', SIZE - 1, SIZE - 1],
  ['bytes=-5', SIZE - 5, SIZE - 1],
  [`bytes=-${SIZE * 2}`, 0, SIZE - 1],
  [`bytes=10-${SIZE * 2}`, 10, SIZE - 1],
])('%s gives just those bytes', async (range, start, end) => {
  const response = await get({ range });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${SIZE}`);
  expect((await bodyOf(response)).equals(bytes.subarray(start, end + 1))).toBe(true);
});

test.each(['bytes=700001-', 'bytes=-0'])('%s is outside the file', async (range) => {
  const response = await get({ range });
  expect(response.status).toBe(416);
  expect(response.headers.get('content-range')).toBe(`bytes */${SIZE}`);
});

test.each(['bytes=5-4', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-', 'bytes=a-b'])('%s is ignored', async (range) => {
  expect((await get({ range })).status).toBe(200);
});

test('a range of another version of the file is not given', async () => {
  expect((await get({ range: 'bytes=0-0', 'if-range': '"old"' })).status).toBe(200);
  expect((await get({ range: 'bytes=0-0', 'if-range': '"abc-1000"' })).status).toBe(206);
});

test('a client that has the file gets 304, and HEAD sends no bytes', async () => {
  expect((await get({ 'if-none-match': '"abc-1000"' })).status).toBe(304);
  const head = await get({ range: 'bytes=0-9' }, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.body]).toEqual([206, '10', null]);
});

test('an empty file is whole, and has no range', async () => {
  const empty = file({ path: join(folder, 'empty'), bytes: 0 });
  const whole = await mediaResponse(empty, 'GET', new Headers());
  expect([whole.status, (await bodyOf(whole)).length]).toEqual([200, 0]);
  expect((await mediaResponse(empty, 'GET', new Headers({ range: 'bytes=0-' }))).status).toBe(416);
});

test('a file that is shorter than recorded does not look complete', async () => {
  const response = await mediaResponse(file({ bytes: SIZE + 10 }), 'GET', new Headers());
  await expect(response.arrayBuffer()).rejects.toThrow('shorter');
});

test.each(['text/html', 'image/svg+xml', 'application/pdf'])('%s is handed over, never shown', async (mime) => {
  const response = await mediaResponse(file({ mime }), 'HEAD', new Headers());
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
});

test('a file that is removed once it was found is not there', async () => {
  const response = await mediaResponse(file({ path: join(folder, 'removed') }), 'GET', new Headers());
  expect(response.status).toBe(404);
});

test('a picture is shown upright where pages ask for it, and its file is given as it is', async () => {
  const upright = Buffer.from('upright');
  const asked = (query: string) =>
    assetResponse(
      file({ mime: 'image/webp', upright: () => Promise.resolve(upright) }),
      new Request(`http://127.0.0.1/media/a${query}`),
    );
  expect(await bodyOf(await asked('?shown'))).toEqual(upright);
  expect(await bodyOf(await asked(''))).toEqual(bytes);
});
