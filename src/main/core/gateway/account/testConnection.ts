import { writtenReach } from '../http/address.ts';
import type { Service } from '../service.ts';
import type { ConnectionReport, VideoDialect } from '../types.ts';
import { readDescribedDialect } from './describedDialect.ts';
import { checkKey, type Heard, listModels } from './keyCheck.ts';
import { modelStep } from './modelList.ts';
import { type Reached, reachPort, resolveName, shakeHands, targetOf } from './reach.ts';

type Step = ConnectionReport['steps'][number];

/**
 * Tests a profile from the bottom up: name, port, encryption, key, protocol, models. Only lists, descriptions and look-ups of an unknown
 * task are asked for, which no service bills; an order is never sent. After a step that fails the later ones say what they wait for.
 */
export async function testConnection(service: Service): Promise<ConnectionReport> {
  const steps: Step[] = [];
  const wires = await wireSteps(service, steps);
  if (!wires)
    return { steps: [...steps, ...waiting(steps.length, `Waits for ${PARTS[steps.at(-1)?.name ?? 'dns']}.`)] };
  steps.push(...(await talkSteps(service)));
  return { steps };
}

const NAMES: Step['name'][] = ['dns', 'connect', 'tls', 'key', 'protocol', 'model'];
const PARTS: Record<Step['name'], string> = {
  dns: 'the name to be found',
  connect: 'a connection',
  tls: 'an encrypted connection',
  key: 'the key',
  protocol: 'an answer the studio understands',
  model: 'the list of models',
};

function waiting(from: number, message: string): Step[] {
  return NAMES.slice(from).map((name) => ({ name, ok: false, message }));
}

async function wireSteps(service: Service, steps: Step[]): Promise<boolean> {
  const base = new URL(service.profile.baseUrl);
  const reach = writtenReach(base.hostname);
  const throughProxy = service.proxy !== undefined && reach !== 'loopback' && reach !== 'private';
  const target = targetOf(throughProxy ? new URL(service.proxy ?? '') : base);
  const secure = async (): Promise<Reached> => {
    if (base.protocol === 'http:') return { ok: true, message: 'Not used: the base URL starts with http://.' };
    if (throughProxy) return { ok: true, message: 'Goes through the proxy; the next step shows whether it holds.' };
    return shakeHands(service, target);
  };
  const run: [Step['name'], () => Promise<Reached>][] = [
    ['dns', () => resolveName(target)],
    ['connect', () => reachPort(service, target)],
    ['tls', secure],
  ];
  for (const [name, look] of run) {
    const startedAt = service.now();
    const reached = await look();
    steps.push({ name, ...reached, ms: service.now() - startedAt });
    if (!reached.ok) return false;
  }
  return true;
}

async function talkSteps(service: Service): Promise<Step[]> {
  const startedAt = service.now();
  const heard = await listModels(service, true);
  const ms = service.now() - startedAt;
  if (isWrongPlace(heard)) return misplaced(heard, ms);
  const { speaks, ...verdict } = await checkKey(service, heard);
  const key: Step = { name: 'key', ...verdict, ms: service.now() - startedAt };
  if (!key.ok) return [key, ...waiting(4, 'Waits for the key.')];
  const protocol = protocolStep(heard, speaks, ms);
  const described = protocol.ok && makesVideo(service) ? await readDescribedDialect(service) : undefined;
  if (described) protocol.message += ` ${toldOf(described)}`;
  return [key, protocol, modelStep(service.profile, heard.models)];
}

const makesVideo = ({ profile }: Service): boolean => profile.models.some(({ kind }) => kind === 'video');

const toldOf = ({ vendor, fieldCase, seedPlacement }: VideoDialect): string =>
  `It describes video options under "${vendor}" in ${fieldCase === 'snake' ? 'snake_case' : 'camelCase'}, with the seed ${
    seedPlacement === 'config' ? 'in' : 'beside'
  } config; orders go so.`;

/** A web page or a redirect where a service should answer. */
function isWrongPlace({ status, json, error }: Heard): boolean {
  if (error === undefined || error.kind === 'auth' || json) return false;
  return status >= 200 && status < 500 && ![404, 405, 429].includes(status);
}

/** The step that failed stands first: the key could not be tried for it. */
function misplaced(heard: Heard, ms: number): Step[] {
  return [
    { name: 'protocol', ok: false, message: heard.error?.message ?? 'The service cannot be understood.', ms },
    { name: 'key', ok: false, message: `Waits for ${PARTS.protocol}.` },
    { name: 'model', ok: false, message: `Waits for ${PARTS.protocol}.` },
  ];
}

function protocolStep(heard: Heard, speaks: boolean, ms: number): Step {
  if (heard.models) return { name: 'protocol', ok: true, message: 'The service speaks as expected.', ms };
  if (heard.status === 200)
    return {
      name: 'protocol',
      ok: false,
      message: 'The service answers, but not with a list of models: the base URL may be wrong.',
      ms,
    };
  if (speaks)
    return { name: 'protocol', ok: true, message: 'The service answers in JSON; it has no list of models.', ms };
  const said = heard.status === 404 || heard.status === 405 ? undefined : heard.error?.message;
  const message = said ?? 'The service does not know the addresses of a gateway: the base URL is probably wrong.';
  return { name: 'protocol', ok: false, message, ms };
}
