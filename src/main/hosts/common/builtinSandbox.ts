import { rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { SANDBOX_IMAGE_NANO } from '../../../shared/money/price.ts';
import { listenAtFirst, portsToTry } from '../../core/tcpPorts.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { type Flags, parseSpeed } from '../launch/flags.ts';
import { isOfOtherUser } from './peerUser.ts';
import { readRegularFile } from './regularFile.ts';
import type { RunningSandbox } from './studioRun.ts';

/** Starts the built-in sandbox of this data folder, on its last port if that is free, so that old result addresses stay valid. */
export async function startBuiltinSandbox(
  dataDir: string,
  { sandboxSpeed, sandboxMedia }: Pick<Flags, 'sandboxSpeed' | 'sandboxMedia'>,
): Promise<RunningSandbox> {
  const stateDir = join(dataDir, 'sandbox');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const speed = sandboxSpeed ?? parseSpeed(process.env.DAILIES_SANDBOX_SPEED ?? '');
  const options = {
    // Its user needs no key, and other users of this machine must not read its results.
    requireKey: false,
    isStranger: (socket: Socket) => isOfOtherUser(socket),
    stateDir,
    imageNano: SANDBOX_IMAGE_NANO,
    statesPrices: true,
    ...(speed ? { speed } : {}),
    ...(sandboxMedia ? { media: sandboxMedia } : {}),
  };
  const portFile = join(stateDir, 'port');
  const sandbox = await listenAtFirst(portsToTry(lastPort(portFile)), (port) => startSandbox({ ...options, port }));
  const { port } = new URL(sandbox.baseUrl);
  try {
    if (lastPort(portFile) !== Number(port)) {
      // Anything else there, such as a named pipe, must not be written to.
      rmSync(portFile, { force: true });
      writeFileSync(portFile, port);
    }
  } catch {
    // Only the next run's port is affected.
  }
  return sandbox;
}

function lastPort(path: string): number {
  try {
    const port = Number(readRegularFile(path));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}
