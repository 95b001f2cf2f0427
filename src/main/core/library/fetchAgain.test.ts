import fs from 'node:fs';
import { expect, test } from 'vitest';
import {
  closeAfterEach,
  ended,
  file,
  LARGE,
  made,
  outputOf,
  PICTURE,
  serve,
  sha256,
  startDownloadHarness,
  until,
} from '../../../../test/helpers/downloadHarness.ts';
import { contentPath } from './contentStore.ts';

closeAfterEach();

test('a file that is gone here is fetched again, and its job keeps its state and its money', async () => {
  const server = await serve((_request, socket) => socket.end(file(PICTURE)));
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  const before = await ended(harness, id);
  const asset = outputOf(harness, id);
  const place = contentPath(harness.dataDir, sha256(PICTURE), 'png');
  expect(await harness.library.download(asset?.id ?? '')).toMatchObject({ data: { state: 'local' } });
  expect(server.requests).toHaveLength(1);
  fs.rmSync(place);
  expect(await harness.library.download(asset?.id ?? '')).toMatchObject({ data: { state: 'remote' } });
  await until(harness, () => outputOf(harness, id)?.state === 'local');
  expect(sha256(fs.readFileSync(place))).toBe(sha256(PICTURE));
  expect(harness.job(id)).toMatchObject({ state: 'succeeded', money: before.money });
});

test('a damaged file whose address has ended stays as it is; one that comes again is whole', async () => {
  let isThere = true;
  const server = await serve((_request, socket) =>
    socket.end(isThere ? file(LARGE) : file(Buffer.from('gone'), { 'content-type': 'text/plain' }, 410)),
  );
  const harness = startDownloadHarness(server);
  const id = await made(harness, `${server.url}/a`);
  await ended(harness, id);
  const assetId = outputOf(harness, id)?.id ?? '';
  const place = contentPath(harness.dataDir, sha256(LARGE), 'png');
  fs.writeFileSync(place, 'rotten');
  isThere = false;
  expect(await harness.library.download(assetId, true)).toMatchObject({ data: { state: 'remote' } });
  await until(harness, () => outputOf(harness, id)?.state !== 'remote');
  expect(outputOf(harness, id)).toMatchObject({
    state: 'local',
    fault: expect.stringMatching(/^It could not be fetched again: ./),
  });
  expect(fs.readFileSync(place, 'utf8')).toBe('rotten');
  isThere = true;
  expect((await harness.library.download(assetId, true)).ok).toBe(true);
  await until(harness, () => fs.readFileSync(place).length === LARGE.length);
  await until(harness, () => outputOf(harness, id)?.state === 'local');
  expect(sha256(fs.readFileSync(place))).toBe(sha256(LARGE));
  expect(outputOf(harness, id)?.fault).toBeUndefined();
});
