import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildConnector, Client } from 'undici';
import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts';
import { fail, ok, type Result, type StudioError } from '../../shared/contract/result.ts';
import { type HostProof, newSecret, pageAccess } from '../hosts/browser/access.ts';
import { type Endpoint, lastEndpoint } from '../hosts/browser/endpoint.ts';
import { defaultDataDir } from '../hosts/common/defaultDataDir.ts';

/** How another program reaches the studio of a data folder, whichever host runs it. */

export interface StudioLink {
  dataDir: string;
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>;
}

/** How long a host may take to prove its identity. */
const HELLO_MS = 5_000;
const CALL_MS = 10 * 60_000;

const HOSTS = ['browser-host.json', 'desktop-host.json'] as const;

/** A link to the studio of this folder, or of the default one; `unreachable` if none runs. */
export async function openLink(folder: string | undefined): Promise<Result<StudioLink>> {
  const asked = resolve(folder ?? defaultDataDir());
  const dataDir = realFolder(asked);
  if (dataDir === undefined) return noStudio(asked);
  for (const file of HOSTS) {
    const endpoint = lastEndpoint(dataDir, { warn: () => undefined }, file);
    if (endpoint && (await isHostThere(endpoint))) return ok({ dataDir, call: caller(endpoint, dataDir) });
  }
  return noStudio(dataDir);
}

/** Whether only the answer may be lost: the call may have succeeded. */
export const isLost = ({ code, data }: StudioError): boolean => code === 'unreachable' && data?.lost === true;

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const noStudio = (folder: string): Result<never> =>
  fail(
    'unreachable',
    `No Dailies answers for ${folder}. Start it; where it is a desktop window, Settings → This computer has to allow it.`,
  );

const originOf = ({ port }: Endpoint): string => `http://127.0.0.1:${port}`;

interface Sent {
  path: string;
  body: unknown;
  headers: Record<string, string>;
  mostMs: number;
}

/** Sends on one connection, whose peer cannot change: the peer that has proved to be the host gets all that follows. */
type Send = (request: Sent) => Promise<Result<unknown>>;

/**
 * One connection to the program that has the port, opened once. If it ends, nothing more is sent, because another program may answer the
 * next one.
 */
async function onOneConnection<T>(endpoint: Endpoint, work: (send: Send) => Promise<T>): Promise<T> {
  const open = buildConnector({});
  let isOpened = false;
  const client = new Client(originOf(endpoint), {
    // A call has its own timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      if (isOpened) return callback(Object.assign(new Error('the connection has ended'), { code: OVER }), null);
      isOpened = true;
      open(target, callback);
    },
  });
  try {
    return await work((request) => post(client, request));
  } finally {
    await client.destroy();
  }
}

const OVER = 'ECONNECTIONOVER';

/** The host's proof that it knows the folder's secrets; undefined if nobody, or another program, has its port. */
async function proofOf(endpoint: Endpoint, send: Send): Promise<HostProof | undefined> {
  const nonce = newSecret();
  const answer = await send({ path: '/hello', body: { nonce }, headers: {}, mostMs: HELLO_MS });
  const proof = answer.ok ? (answer.data as Partial<HostProof> | null) : null;
  if (typeof proof?.run !== 'string' || !Array.isArray(proof.proofs)) return undefined;
  const given = { run: proof.run, proofs: proof.proofs.filter((one) => typeof one === 'string') };
  return pageAccess(endpoint.originKey).isHost(nonce, given) ? given : undefined;
}

const isHostThere = (endpoint: Endpoint): Promise<boolean> =>
  onOneConnection(endpoint, async (send) => (await proofOf(endpoint, send)) !== undefined);

/** Each call looks up the port again: while the host is down, any program of this machine can take it. */
function caller(endpoint: Endpoint, dataDir: string): StudioLink['call'] {
  const { bearer } = pageAccess(endpoint.originKey);
  return (name, input) =>
    onOneConnection(endpoint, async (send) => {
      const proof = await proofOf(endpoint, send);
      if (!proof) return noStudio(dataDir);
      const headers = { authorization: `Bearer ${bearer(proof)}`, origin: originOf(endpoint) };
      const answer = await send({ path: `/rpc/${name}`, body: input, headers, mostMs: CALL_MS });
      return answer as Result<CallOutput<typeof name>>;
    });
}

async function post(client: Client, { path, body, headers, mostMs }: Sent): Promise<Result<unknown>> {
  try {
    const response = await client.request({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(mostMs),
    });
    const answer = (await response.body.json()) as Result<unknown> | null;
    if (typeof answer === 'object' && answer !== null && typeof answer.ok === 'boolean') return answer;
    return lost('The answer was not one of Dailies.');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NEVER_SENT.has(error.code)) return unreached(error.message);
    return lost(error instanceof Error ? error.message : String(error));
  }
}

/** Errors before a byte of the request was sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([OVER, 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

const unreached = (why: string): Result<never> =>
  fail('unreachable', `Dailies did not answer: ${why}. Nothing was sent.`);
const lost = (why: string): Result<never> => fail('unreachable', `Dailies did not answer: ${why}`, { lost: true });
