import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import { memoryKeys } from './testPorts.ts';
import type { TestStudio } from './testStudio.ts';

/** HTTP servers that record what they receive, for tests of what a studio sends. */

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Reply {
  /** 200 by default. */
  status?: number;
  body: object | Buffer;
}

export interface WireService {
  baseUrl: string;
  received: Received[];
  /** The bodies of the requests that had one, in order. */
  bodies(): string[];
}

/** A definite refusal: nothing is made or billed. */
export const REFUSED: Reply = {
  status: 400,
  body: { error: { code: 'content_policy_violation', message: 'The prompt was rejected by the content filter.' } },
};

/** The answer to a chat. */
export const chatAnswer = (content: string, usage: object = {}): Reply => ({
  body: {
    id: 'chatcmpl-1',
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, ...usage },
  },
});

/** Starts these servers for the tests of one file, and closes after each test what it started. */
export function servicesOfThisFile(): (reply: (received: Received, baseUrl: string) => Reply) => Promise<WireService> {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
  return async (reply) => {
    const received: Received[] = [];
    let baseUrl = '';
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(parts).toString() };
      received.push(one);
      const { status = 200, body } = reply(one, baseUrl);
      const isFile = Buffer.isBuffer(body);
      response
        .writeHead(status, { 'content-type': isFile ? 'application/octet-stream' : 'application/json' })
        .end(isFile ? body : JSON.stringify(body));
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { baseUrl, received, bodies: () => received.map(({ body }) => body).filter((body) => body !== '') };
  };
}

/** The keys that {@link activateService} needs. */
export const serviceKeys = () => memoryKeys({ p: 'sk-0123456789abcdef' });

/** Makes the server the active gateway, `p`. */
export async function activateService(
  { ask }: Pick<TestStudio, 'ask'>,
  baseUrl: string,
  more: object = {},
): Promise<void> {
  await ask('profiles.save', { id: 'p', name: 'P', baseUrl, ...more });
  await ask('profiles.activate', { id: 'p' });
}

/** Submits a request and returns the first new job that matches. */
export async function jobAfter(
  { ask }: Pick<TestStudio, 'ask'>,
  start: () => Promise<unknown>,
  wanted: (job: Job) => boolean,
): Promise<Job> {
  const jobs = async () => (await ask('jobs.list', { limit: 100 })).jobs;
  const before = new Set((await jobs()).filter(wanted).map(({ id }) => id));
  await start();
  for (;;) {
    const job = (await jobs()).find((one) => !before.has(one.id) && wanted(one));
    if (job) return job;
    await setTimeout(5);
  }
}
