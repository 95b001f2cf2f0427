import fs from 'node:fs';
import { expect, test } from 'vitest';
import {
  closeAfterEach,
  downloading,
  file,
  LARGE,
  PICTURE,
  reply,
  sha256,
} from '../../../../test/helpers/downloadHarness.ts';
import { contentPath } from './content/contentStore.ts';

closeAfterEach();

test('a file that is gone here is fetched again, and its job keeps its state and its money', async () => {
  const { server, harness, job, output, ends, until } = await downloading(file(PICTURE));
  const { money } = await ends();
  const location = contentPath(harness.dataDir, sha256(PICTURE), 'png');
  const fetchAgain = () => harness.library.download(output()?.id ?? '');
  expect(await fetchAgain()).toMatchObject({ data: { state: 'local' } });
  expect(server.requests).toHaveLength(1);
  fs.rmSync(location);
  expect(await fetchAgain()).toMatchObject({ data: { state: 'remote' } });
  await until(() => output()?.state === 'local');
  expect(sha256(fs.readFileSync(location))).toBe(sha256(PICTURE));
  expect(job()).toMatchObject({ state: 'succeeded', money });
});

test('a damaged file whose address has ended stays as it is; one that comes again is whole', async () => {
  let isThere = true;
  const { harness, output, ends, until } = await downloading((_request, socket) =>
    socket.end(isThere ? file(LARGE) : reply(410, 'gone')),
  );
  await ends();
  const location = contentPath(harness.dataDir, sha256(LARGE), 'png');
  const fetchAgain = () => harness.library.download(output()?.id ?? '', true);
  fs.writeFileSync(location, 'rotten');
  isThere = false;
  expect(await fetchAgain()).toMatchObject({ data: { state: 'remote' } });
  await until(() => output()?.state !== 'remote');
  const fault = expect.stringMatching(/^The file could not be fetched again: ./);
  expect(output()).toMatchObject({ state: 'local', fault });
  expect(fs.readFileSync(location, 'utf8')).toBe('rotten');
  isThere = true;
  expect((await fetchAgain()).ok).toBe(true);
  await until(() => fs.readFileSync(location).length === LARGE.length && output()?.state === 'local');
  expect(sha256(fs.readFileSync(location))).toBe(sha256(LARGE));
  expect(output()?.fault).toBeUndefined();
});
