import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { databaseFile } from '../../src/main/core/store/index.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { type Host, type HostOptions, startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { hasStrace } from './killPoints.ts';
import type { TortureOptions } from './options.ts';
import { SandboxProcess } from './sandboxProcess.ts';

/**
 * For every paid request, the claim is on disk before the first byte leaves. Observed in system calls (journal frames, their fsync, the
 * first write to the socket) or, without strace, inside the program at COMMIT and at the socket.
 */
const REQUESTS = 1_000;
const SHORT_REQUESTS = 24;
const BATCH = 50;

/** Reports what it saw, in order. An `intent` is durable when it is reported. */
interface Tracer {
  options: Pick<HostOptions, 'under' | 'env'>;
  name: string;
  read(jobs: Jobs, seen: { intent(job: string): void; sent(job: string): void; sync(): void }): Promise<void>;
}

interface Jobs {
  byKey: ReadonlyMap<string, string>;
}

export async function run(
  options: Partial<TortureOptions> = {},
  way: keyof typeof tracers = availableTracer(),
): Promise<string[]> {
  const wanted = options.short ? SHORT_REQUESTS : REQUESTS;
  const watch = tracers[way]();
  const dataDir = tempDir('torture-order');
  const service = await SandboxProcess.start(tempDir('torture-service'));
  try {
    const env = { DAILIES_API_KEY: service.ready.apiKey, ...watch.options.env };
    const host = await startHost({ dataDir, ...watch.options, env });
    await enqueue(host, service, wanted);
    await host.kill('SIGTERM');
  } finally {
    await service.kill('SIGKILL');
  }
  return [await checkOrdering(watch, jobsOf(dataDir), wanted)];
}

async function checkOrdering(watch: Tracer, jobs: Jobs, wanted: number): Promise<string> {
  const intents = new Set<string>();
  const sent = new Set<string>();
  const early: string[] = [];
  let syncs = 0;
  await watch.read(jobs, {
    intent: (job) => void intents.add(job),
    sync: () => {
      syncs += sent.size < wanted ? 1 : 0;
    },
    sent: (job) => {
      if (!intents.has(job)) early.push(job);
      if (sent.has(job)) early.push(`${job} a second time`);
      sent.add(job);
    },
  });
  if (early.length > 0) throw new Error(`sent before the intent was on disk: ${early.join(', ')}`);
  if (sent.size !== wanted) throw new Error(`${wanted} were enqueued and ${sent.size} were seen to be sent`);
  return `${sent.size} of ${wanted} paid requests left after their intent was on disk, none twice (${watch.name}; ${(syncs / wanted).toFixed(2)} fsyncs of the journal an order)`;
}

async function enqueue(host: Host, service: SandboxProcess, wanted: number): Promise<void> {
  const { baseUrl, imagePrefix, vendor, imageAuthHeaders } = service.ready;
  const models = [
    { id: 'language', kind: 'chat' as const },
    { id: 'video-standard', kind: 'video' as const },
  ];
  const limits = { chatsAtOnce: 32, imagesAtOnce: 8, videosAtOnce: 4 };
  const { id } = await host.ask('profiles.save', { baseUrl, imagePrefix, vendor, imageAuthHeaders, models, limits });
  await host.ask('profiles.activate', { id });
  const requests = Array.from({ length: wanted }, (_, n) => requestNumber(n));
  for (let n = 0; n < wanted; n += BATCH) await host.ask('jobs.enqueue', { requests: requests.slice(n, n + BATCH) });
  const events = await host.events();
  const waiting = async () =>
    (await host.ask('jobs.list', { limit: 1, states: ['queued', 'blocked', 'sending'] })).total;
  while ((await waiting()) > 0) await Promise.race([events.next('job.changed'), pause()]);
  await events.close();
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

function requestNumber(n: number): StudioRequest {
  const words = `the sea, number ${n}`;
  if (n % 40 === 1) return { kind: 'video', model: 'video-standard', prompt: words, config: { durationSeconds: 4 } };
  if (n % 8 === 3) return { kind: 'imagine', prompt: words, mode: 'turbo' };
  return { kind: 'chat', model: 'language', messages: [{ role: 'user', content: words }], stream: n % 2 === 0 };
}

function jobsOf(dataDir: string): Jobs {
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const rows = db.prepare<[], { id: string; key: string }>('SELECT id, idempotency_key AS key FROM jobs').all();
  db.close();
  return { byKey: new Map(rows.map(({ id, key }) => [key, id])) };
}

const CALLS = 'pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg';
const KEY = /idempotency-key: ([0-9a-f]{32,64})/gi;
/** A row of the jobs table inside a database page: its first columns are adjacent text. */
const CLAIMED_ROW = /(job_[0-9a-z]+)(?:chat|video|imagine|edit)sending/g;

function systemCalls(): Tracer {
  const log = join(tempDir('torture-strace'), 'calls');
  return {
    name: 'seen at the system calls by strace',
    // Traces whole pages and requests of the main thread, which writes the database and the sockets.
    options: { under: ['strace', '-yy', '-s', '16384', '-o', log, '-e', `trace=${CALLS}`] },
    async read(jobs, seen) {
      if (statSync(log).size === 0) throw new Error('strace saw nothing.');
      const journal = new Journal();
      for await (const line of createInterface({ input: createReadStream(log) })) {
        if (line.includes('dailies.db-wal>')) {
          for (const job of journal.read(line)) seen.intent(job);
          if (/^f(data)?sync/.test(line)) seen.sync();
        } else if (line.includes('<TCP:')) {
          for (const [, key = ''] of line.matchAll(KEY)) seen.sent(jobs.byKey.get(key) ?? key);
        }
      }
    },
  };
}

/** SQLite's write-ahead log: frames of a 24-byte header and a page. The last frame of a transaction states the file's size. */
class Journal {
  private written: string[] = [];
  private committed: string[] = [];
  private commits = false;

  /** Returns the jobs whose claims this call has made durable. */
  read(line: string): string[] {
    if (/^f(data)?sync/.test(line)) return line.endsWith('= 0') ? this.committed.splice(0) : [];
    if (/, 24, \d+\)\s+= 24$/.test(line)) this.commits = commitSize(line) > 0;
    else if (/, 4096, \d+\)\s+= 4096$/.test(line)) {
      this.written.push(...[...line.matchAll(CLAIMED_ROW)].map(([, job = '']) => job));
      if (this.commits) this.committed.push(...this.written.splice(0));
    }
    return [];
  }
}

/** Bytes 4 to 7 of a frame's header, as strace prints them in a C string. */
function commitSize(line: string): number {
  const text = /"(.*)", 24/.exec(line)?.[1] ?? '';
  const bytes = [...text.matchAll(/\\([0-7]{1,3})|\\(.)|(.)/g)].map(([, octal, escaped, plain]) => {
    if (octal !== undefined) return Number.parseInt(octal, 8);
    return escaped === undefined ? (plain?.charCodeAt(0) ?? 0) : (ESCAPES[escaped] ?? escaped.charCodeAt(0));
  });
  return bytes.slice(4, 8).reduce((sum, byte) => sum * 256 + byte, 0);
}

const ESCAPES: Record<string, number> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8 };

function insideTheProgram(): Tracer {
  const log = join(tempDir('torture-order-log'), 'calls');
  const probe = pathToFileURL(join(import.meta.dirname, 'programs', 'orderProbe.ts')).href;
  return {
    name: 'seen inside the program, at COMMIT and at the socket',
    options: { env: { NODE_OPTIONS: `--import ${probe}`, ORDER_PROBE_LOG: log } },
    async read(jobs, seen) {
      for await (const line of createInterface({ input: createReadStream(log) })) {
        const [what, key = ''] = line.split(' ');
        const job = jobs.byKey.get(key) ?? key;
        if (what === 'commit') seen.sync();
        else if (what === 'intent') seen.intent(job);
        else seen.sent(job);
      }
    },
  };
}

export const tracers = { systemCalls, insideTheProgram };

const availableTracer = (): keyof typeof tracers => (hasStrace() ? 'systemCalls' : 'insideTheProgram');
