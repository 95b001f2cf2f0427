import { Readable } from 'node:stream';
import {
  createStudio,
  type Ports,
  type Studio,
  type StudioOptions,
  sandboxProfile,
} from '../../src/main/core/createStudio.ts';
import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';
import type { StudioEvent } from '../../src/shared/contract/events.ts';
import type { Result } from '../../src/shared/contract/result.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { placeEmptyDatabase } from './emptyDatabase.ts';
import { tempDir, testPorts } from './testPorts.ts';

/** The built-in sandbox as a profile, at an address where nothing answers. */
export const unreachableSandbox = sandboxProfile({
  baseUrl: 'http://127.0.0.1:9',
  imagePrefix: 'image',
  vendor: 'v',
  imageAuthHeaders: [],
});

export interface TestStudioOptions extends Partial<StudioOptions> {
  /** Replaces some of the test ports. */
  ports?: Partial<Ports>;
}

/** A whole studio on a data folder of its own, driven by its calls as a page or a tool drives it. */
export interface TestStudio {
  studio: Studio;
  dataDir: string;
  /** All events, oldest first. */
  events: StudioEvent[];
  call<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<Result<CallOutput<Name>>>;
  /** Like `call`, but throws an error with the message. */
  ask<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallOutput<Name>>;
  /** Uploads a file as a page does. */
  upload(name: string, bytes: Uint8Array, more?: { role?: 'source'; sha256?: string }): Promise<Asset>;
  /** Enqueues the requests; returns the ids of the jobs. */
  enqueue(...requests: StudioRequest[]): Promise<string[]>;
  /** The second and later calls wait for the same end. */
  close(): Promise<void>;
}

/** Opens a studio; the caller closes it. By default its folder is temporary and its sandbox never answers. */
export async function openStudio({ ports, ...options }: TestStudioOptions = {}): Promise<TestStudio> {
  const dataDir = options.dataDir ?? tempDir('studio');
  placeEmptyDatabase(dataDir);
  const opened = await createStudio(testPorts(ports), {
    host: 'browser',
    version: '0.0.0',
    sandbox: unreachableSandbox,
    ...options,
    dataDir,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const studio = opened.data;
  const events: StudioEvent[] = [];
  studio.subscribe((event) => void events.push(event));
  const call: TestStudio['call'] = async (name, input) => (await studio.call(name, input ?? {})) as never;
  const ask: TestStudio['ask'] = async (name, input) => {
    const result = await call(name, input);
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
    return result.data;
  };
  let closing: Promise<void> | undefined;
  return {
    studio,
    dataDir,
    events,
    call,
    ask,
    upload: async (name, bytes, more) => {
      const put = await studio.media.upload({ name, body: Readable.from([bytes]), ...more });
      if (!put.ok) throw new Error(put.error.message);
      return put.data;
    },
    enqueue: async (...requests) => (await ask('jobs.enqueue', { requests })).jobs.map(({ id }) => id),
    close: () => {
      closing ??= studio.close();
      return closing;
    },
  };
}
