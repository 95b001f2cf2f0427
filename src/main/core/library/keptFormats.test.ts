import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  closeAfterEach,
  ended,
  file,
  filesOf,
  made,
  outputOf,
  PICTURE,
  reply,
  serve,
  sha256,
  startDownloadHarness,
} from '../../../../test/helpers/downloadHarness.ts';
import { extensionOf } from '../../../shared/mediaFormats.ts';

/** Results that Dailies cannot display, and results of another type than was requested. */

closeAfterEach();

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const zeros = (length: number): number[] => new Array(length).fill(0);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>';
const heic = bytes(
  [0, 0, 0, 16],
  'ftypheic\0\0\0\0',
  [0, 0, 0, 16],
  'meta\0\0\0\0\0\0\0\0',
  [0, 0, 0, 16],
  'mdat',
  zeros(8),
);

test.each<[string, Buffer, string]>([
  ['video/vnd.avi', bytes('RIFF', [40, 0, 0, 0], 'AVI LIST', zeros(32)), 'video/x-msvideo'],
  ['video/mp2t', bytes('G', zeros(187), 'G', zeros(187), 'G', zeros(187)), 'application/octet-stream'],
  ['image/bmp', bytes('BM', [60, 0, 0, 0], zeros(54)), 'image/bmp'],
  ['image/tiff', bytes('II*\0', [8, 0, 0, 0], zeros(40)), 'image/tiff'],
  ['image/heic', heic, 'image/heic'],
  ['image/svg+xml', Buffer.from(svg), 'image/svg+xml'],
  ['image/svg+xml', Buffer.from(`<?xml version="1.0"?>\n${svg}`), 'application/xml'],
])('a result in %s is kept as it came at its first download', async (mime, body, type) => {
  const server = await serve((_request, socket) => socket.end(file(body, { 'content-type': type })));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(outputOf(harness, id)).toMatchObject({
    state: 'local',
    mime,
    sha256: sha256(body),
    bytes: body.length,
    width: 0,
  });
  expect(outputOf(harness, id)).not.toHaveProperty('fault');
  expect(filesOf(harness)).toEqual([`${sha256(body)}.${extensionOf(mime)}`]);
  expect(server.requests).toHaveLength(1);
  // Nothing is asked of the page that makes previews.
  expect(harness.library.mediaWork.claim()).toBeNull();
});

test('what is kept without a preview is cut off as often as any other', async () => {
  const whole = bytes('RIFF', [40, 0, 0, 0], 'AVI LIST', zeros(32));
  const server = await serve((_request, socket, count) => socket.end(file(count < 3 ? whole.subarray(0, 30) : whole)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(outputOf(harness, id)?.sha256).toBe(sha256(whole));
});

test('a Matroska clip is a clip as any other', async () => {
  const clip = readFileSync('test/fixtures/media/h264-aac.mkv');
  const server = await serve((_request, socket) => socket.end(file(clip, { 'content-type': 'video/x-matroska' })));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(outputOf(harness, id)).toMatchObject({ mime: 'video/matroska', audio: true, sha256: sha256(clip) });
  expect(outputOf(harness, id)?.width).toBeGreaterThan(0);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['without a type', 'application/octet-stream'],
  ['called a clip', 'video/mp4'],
])('a picture in place of a clip, %s, is kept and is a difference', async (_what, type) => {
  const server = await serve((_request, socket) => socket.end(file(PICTURE, { 'content-type': type })));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect(await ended(harness, id)).toMatchObject({
    state: 'succeeded',
    differs: [{ what: 'type', ordered: '1 clip', made: '1 picture' }],
    outputs: [{ state: 'local', mime: 'image/png', sha256: sha256(PICTURE) }],
  });
  expect(server.requests).toHaveLength(1);
});

test('a storage that answers with an error in XML is still asked again', async () => {
  const error = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>';
  const server = await serve((_request, socket, count) => socket.end(count === 1 ? reply(200, error) : file(PICTURE)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  expect((await ended(harness, id)).state).toBe('succeeded');
  expect(server.requests).toHaveLength(2);
});
