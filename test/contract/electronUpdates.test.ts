import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ask, electronRuns } from '../helpers/electronRuns.ts';

/** Updates of an installed program from a local server: what the server learns, and when the program downloads and installs. */

const { folder, start } = electronRuns();
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const tlsPath = (name: string) => join(import.meta.dirname, '..', 'fixtures', 'tls', name);
const tlsFile = (name: string) => readFileSync(tlsPath(name));

const PROGRAM = '#!/bin/sh\nexit 0\n# the new version\n';

/** A server with one newer version, recording all requests. */
async function updateServer(version: string) {
  const told: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const sha512 = createHash('sha512').update(PROGRAM).digest('base64');
  const file = `Dailies-${version}.AppImage`;
  const list = `version: ${version}\nfiles:\n  - url: ${file}\n    sha512: ${sha512}\n    size: ${PROGRAM.length}\npath: ${file}\nsha512: ${sha512}\n`;
  const server = createServer({ key: tlsFile('server.key'), cert: tlsFile('server.pem') }, (request, response) => {
    told.push({ url: request.url ?? '', headers: request.headers });
    response.end(request.url?.endsWith('.yml') ? list : PROGRAM);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return { told, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/updates` };
}

/** The Linux package on a disk: one program file and its resources. */
function installed(url: string) {
  const [resources, image] = [join(folder(), 'resources'), join(folder(), 'dailies.AppImage')];
  mkdirSync(resources);
  writeFileSync(
    join(resources, 'app-update.yml'),
    `provider: generic\nurl: ${url}\nupdaterCacheDirName: dailies-updater\n`,
  );
  writeFileSync(image, '#!/bin/sh\nexit 0\n');
  chmodSync(image, 0o755);
  const env = { DOUBLE_RESOURCES: resources, APPIMAGE: image, NODE_EXTRA_CA_CERTS: tlsPath('authority.pem') };
  return { image, env };
}

test('the server learns only the version; an update is downloaded on request, backed up before, and installed at the end', async () => {
  const { told, url } = await updateServer('99.0.0');
  const { image, env } = installed(url);
  const run = await start({ dataDir: join(folder(), 'data'), env });
  expect(await ask(run, 'updates.get')).toEqual({ state: 'current' });
  expect(told).toEqual([]);
  expect(await ask(run, 'updates.check')).toMatchObject({ state: 'found', version: '99.0.0' });
  expect(told.map((one) => one.url)).toEqual(['/updates/latest-linux.yml']);
  expect(await ask(run, 'updates.download')).toMatchObject({ state: 'ready', installsAtQuit: true });
  const { backups } = (await ask(run, 'backups.list')) as { backups: { reason: string }[] };
  expect(backups.map(({ reason }) => reason)).toContain('update');
  for (const { headers } of told) {
    const { host, connection, 'user-agent': agent, ...rest } = headers;
    expect([host, connection, agent]).toEqual([
      expect.any(String),
      expect.any(String),
      expect.stringMatching(/^Dailies\/[0-9.]+$/),
    ]);
    expect(rest).toEqual({ accept: '*/*' });
  }
  expect(readFileSync(image, 'utf8')).not.toBe(PROGRAM);
  expect(await run.stop()).toBe(0);
  expect(readFileSync(image, 'utf8')).toBe(PROGRAM);
});
