import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  closeAfterEach,
  downloading,
  file,
  filesOf,
  PICTURE,
  reply,
  sha256,
} from '../../../../test/helpers/downloadHarness.ts';
import { extensionOf } from '../../../shared/library/mediaFormats.ts';

/** Results that Dailies cannot display, and results of another type than was requested. */

closeAfterEach();

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const zeros = (length: number): number[] => new Array(length).fill(0);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>';
const avi = bytes('RIFF', [40, 0, 0, 0], 'AVI LIST', zeros(32));
const heic = bytes('\0\0\0\x10ftypheic\0\0\0\0', '\0\0\0\x10meta\0\0\0\0\0\0\0\0', '\0\0\0\x10mdat', zeros(8));

test.each<[string, Buffer, string]>([
  ['video/vnd.avi', avi, 'video/x-msvideo'],
  ['video/mp2t', bytes('G', zeros(187), 'G', zeros(187), 'G', zeros(187)), 'application/octet-stream'],
  ['image/bmp', bytes('BM', [60, 0, 0, 0], zeros(54)), 'image/bmp'],
  ['image/tiff', bytes('II*\0', [8, 0, 0, 0], zeros(40)), 'image/tiff'],
  ['image/heic', heic, 'image/heic'],
  ['image/svg+xml', Buffer.from(svg), 'image/svg+xml'],
  ['image/svg+xml', Buffer.from(`<?xml version="1.0"?>\n${svg}`), 'application/xml'],
])('a result in %s is kept as it came at its first download', async (mime, body, type) => {
  const { server, harness, ends, output } = await downloading(file(body, { 'content-type': type }));
  expect((await ends()).state).toBe('succeeded');
  expect(output()).toMatchObject({ state: 'local', mime, sha256: sha256(body), bytes: body.length, width: 0 });
  expect(output()).not.toHaveProperty('fault');
  expect(filesOf(harness)).toEqual([`${sha256(body)}.${extensionOf(mime)}`]);
  expect(server.requests).toHaveLength(1);
  // Nothing is asked of the page that makes previews.
  expect(harness.library.mediaWork.claim()).toBeNull();
});

test('a Matroska clip is a clip as any other', async () => {
  const clip = readFileSync('test/fixtures/media/h264-aac.mkv');
  const { server, ends, output } = await downloading(file(clip, { 'content-type': 'video/x-matroska' }));
  expect((await ends()).state).toBe('succeeded');
  expect(output()).toMatchObject({ mime: 'video/matroska', audio: true, sha256: sha256(clip) });
  expect(output()?.width).toBeGreaterThan(0);
  expect(server.requests).toHaveLength(1);
});

test.each(['application/octet-stream', 'video/mp4'])(
  'a picture in place of a clip, called %s, is kept and is a difference',
  async (type) => {
    const { server, ends } = await downloading(file(PICTURE, { 'content-type': type }));
    expect(await ends()).toMatchObject({
      state: 'succeeded',
      differs: [{ what: 'type', ordered: '1 clip', made: '1 picture' }],
      outputs: [{ state: 'local', mime: 'image/png', sha256: sha256(PICTURE) }],
    });
    expect(server.requests).toHaveLength(1);
  },
);

test('a storage that answers with an error in XML is still asked again', async () => {
  const error = reply(200, '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>');
  const { server, ends } = await downloading((_request, socket, count) =>
    socket.end(count === 1 ? error : file(PICTURE)),
  );
  expect((await ends()).state).toBe('succeeded');
  expect(server.requests).toHaveLength(2);
});
