import type { StudioEvent } from '../../src/shared/contract/events.ts';
import type { Result } from '../../src/shared/contract/result.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { type ElectronRun, startElectron } from '../helpers/electron.ts';
import { createEventReader, type EventReader } from '../helpers/events.ts';
import { type Host, startHost } from '../helpers/host.ts';

export interface Wire {
  dataDir: string;
  call(name: string, input?: unknown): Promise<Result<unknown>>;
  events(): Promise<Omit<EventReader, 'ended'>>;
  media(id: string, init?: { method?: string; headers?: Record<string, string> }): Promise<MediaAnswer>;
  /** Without `name`, the parameter is omitted. */
  upload(name: string | undefined, bytes: Uint8Array, role?: string, parent?: string): Promise<Result<Asset>>;
  close(): Promise<void>;
}

export interface MediaAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

const uploadQuery = (name?: string, role?: string, parent?: string) => {
  const fields = Object.entries({ name, role, parent }).filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  return `?${new URLSearchParams(fields)}`;
};

export async function httpWire(): Promise<Wire> {
  const host = await startHost();
  return {
    dataDir: host.dataDir,
    call: (name, input) => host.rpc(name as 'app.info', input as never) as Promise<Result<unknown>>,
    events: () => host.events(),
    async media(id, init) {
      const response = await host.request(`/media/${id}`, init);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
    },
    upload: (name, bytes, ...purpose) => uploadTo(host, uploadQuery(name, ...purpose), bytes),
    close: () => host.stop(),
  };
}

async function uploadTo(host: Host, query: string, bytes: Uint8Array): Promise<Result<Asset>> {
  const body = bytes as Uint8Array<ArrayBuffer>;
  const response = await host.request(`/media${query}`, { method: 'PUT', body });
  return (await response.json()) as Result<Asset>;
}

export async function electronWire(): Promise<Wire> {
  const run = await startElectron();
  const { page } = run;
  return {
    dataDir: run.dataDir,
    call: (name, input) =>
      page.evaluate(([name, input]) => globalThis.dailies.call(name, input), [name, input ?? {}] as const),
    events: () => bridgeEvents(run),
    media: (id, init = {}) => pageFetch(run, `asset/${id}`, init),
    async upload(name, bytes, ...purpose) {
      const body = Buffer.from(bytes).toString('base64');
      const { bytes: answer } = await pageFetch(
        run,
        `upload/${uploadQuery(name, ...purpose)}`,
        { method: 'PUT' },
        body,
      );
      return JSON.parse(answer.toString()) as Result<Asset>;
    },
    close: async () => void (await run.stop()),
  };
}

declare global {
  // What the preload exposes, for functions given to `page.evaluate`.
  var dailies: {
    call(name: string, input: unknown): Promise<Result<unknown>>;
    subscribe(listener: (event: StudioEvent) => void): () => void;
  };
  var pushEvent: (event: StudioEvent) => void;
}

async function bridgeEvents({ page }: ElectronRun): Promise<Omit<EventReader, 'ended'>> {
  const { reader, push } = createEventReader(async () => {});
  await page.exposeFunction('pushEvent', push);
  await page.evaluate(() => void globalThis.dailies.subscribe((event) => globalThis.pushEvent(event)));
  return reader;
}

/** Sends a request from a page. Bytes are returned as text, since only JSON leaves a page. */
async function pageFetch(
  { page, mediaBase }: ElectronRun,
  path: string,
  init: { method?: string; headers?: Record<string, string> },
  body?: string,
): Promise<MediaAnswer> {
  const answer = await page.evaluate(
    async ([url, init, body]) => {
      const sent = body === undefined ? undefined : Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
      // Not from the browser's cache.
      const response = await fetch(url, { cache: 'no-store', ...init, ...(sent ? { body: sent } : {}) });
      let text = '';
      for (const byte of new Uint8Array(await response.arrayBuffer())) text += String.fromCharCode(byte);
      return { status: response.status, headers: Object.fromEntries(response.headers), body: btoa(text) };
    },
    [mediaBase + path, init, body] as const,
  );
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(answer.body, 'base64') };
}
