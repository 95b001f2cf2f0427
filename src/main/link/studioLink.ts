import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CallInput, CallName, CallOutput } from '../../shared/contract.ts';
import { fail, ok, type Result, type StudioError } from '../../shared/result.ts';
import { type HostProof, newSecret, pageAccess } from '../hosts/browser/access.ts';
import { type Endpoint, lastEndpoint } from '../hosts/browser/endpoint.ts';
import { defaultDataDir } from '../hosts/common/defaultDataDir.ts';

/** The way of a program outside to the studio that runs on a data folder, whichever host it has. */

export interface StudioLink {
  /** The data folder. */
  dataDir: string;
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>;
}

/** How long a host may take to say who it is. */
const HELLO_MS = 5_000;
/** How long it may take to answer a call. */
const CALL_MS = 10 * 60_000;

const HOSTS = ['browser-host.json', 'desktop-host.json'] as const;

/** A link to the studio of this folder, or of the default one; `unreachable` where none runs on it. */
export async function openLink(folder: string | undefined): Promise<Result<StudioLink>> {
  const asked = resolve(folder ?? defaultDataDir());
  const dataDir = realFolder(asked);
  if (dataDir === undefined) return noStudio(asked);
  for (const file of HOSTS) {
    const endpoint = lastEndpoint(dataDir, { warn: () => undefined }, file);
    const proof = endpoint && (await proofOf(endpoint));
    if (!proof) continue;
    return ok({ dataDir, call: caller(endpoint, proof) });
  }
  return noStudio(dataDir);
}

/** Whether the answer alone may have been lost: what was asked for may have been done. */
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
    `No Dailies answers for ${folder}. Start it (npm start), or switch on Settings → Command line where its window is open.`,
  );

const originOf = ({ port }: Endpoint): string => `http://127.0.0.1:${port}`;

/** The host's proof that it knows the folder's secrets; undefined where nobody, or somebody else, has its port. */
async function proofOf(endpoint: Endpoint): Promise<HostProof | undefined> {
  const nonce = newSecret();
  const answer = await post(`${originOf(endpoint)}/hello`, { nonce }, {}, HELLO_MS);
  const proof = answer.ok ? (answer.data as Partial<HostProof> | null) : null;
  if (typeof proof?.run !== 'string' || !Array.isArray(proof.proofs)) return undefined;
  const given = { run: proof.run, proofs: proof.proofs.filter((one) => typeof one === 'string') };
  return pageAccess(endpoint.originKey).isHost(nonce, given) ? given : undefined;
}

function caller(endpoint: Endpoint, proof: HostProof): StudioLink['call'] {
  const origin = originOf(endpoint);
  const headers = { authorization: `Bearer ${pageAccess(endpoint.originKey).bearer(proof)}`, origin };
  return async (name, input) =>
    (await post(`${origin}/rpc/${name}`, input, headers, CALL_MS)) as Result<CallOutput<typeof name>>;
}

async function post(
  address: string,
  body: unknown,
  headers: Record<string, string>,
  mostMs: number,
): Promise<Result<unknown>> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(mostMs),
    });
    const answer = (await response.json()) as Result<unknown> | null;
    if (typeof answer === 'object' && answer !== null && typeof answer.ok === 'boolean') return answer;
    return lost('The answer was not one of Dailies.');
  } catch (error) {
    return lost(error instanceof Error ? error.message : String(error));
  }
}

const lost = (why: string): Result<never> => fail('unreachable', `Dailies did not answer: ${why}`, { lost: true });
