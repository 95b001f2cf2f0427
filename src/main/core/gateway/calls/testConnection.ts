import { failureError, refusalError, type Service, urlOf } from '../service.ts';
import { writtenReach } from '../transport/address.ts';
import type { ConnectionReport, GatewayError } from '../types.ts';
import { bearer, imageAuths, plainHeaders } from '../wire/headers.ts';
import { ask, HEADER_MS } from './ask.ts';
import { listedModels, modelStep } from './modelList.ts';
import { pollImage } from './pollImage.ts';
import { type Reached, reachPort, resolveName, shakeHands, targetOf } from './reach.ts';

type Step = ConnectionReport['steps'][number];

/**
 * Tests a profile from the bottom up: name, port, encryption, key, protocol, models. Only lists and look-ups of an unknown task are
 * sent, which no service bills; an order is never sent. After a step that fails the later ones say what they wait for.
 */
export async function testConnection(service: Service): Promise<ConnectionReport> {
  const steps: Step[] = [];
  const wires = await wireSteps(service, steps);
  if (!wires) return { steps: [...steps, ...waiting(steps, `Waits for ${PARTS[steps.at(-1)?.name ?? 'dns']}.`)] };
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

function waiting(done: readonly Step[], message: string): Step[] {
  return NAMES.slice(done.length).map((name) => ({ name, ok: false, message }));
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

interface Heard {
  status: number;
  models?: string[];
  /** JSON was spoken, whatever it said. */
  json: boolean;
  error?: GatewayError;
}

async function talkSteps(service: Service): Promise<Step[]> {
  const startedAt = service.now();
  const heard = await listModels(service, true);
  const ms = service.now() - startedAt;
  const wrongPlace =
    heard.error !== undefined &&
    heard.error.kind !== 'auth' &&
    !heard.json &&
    heard.status < 500 &&
    heard.status !== 429;
  if (wrongPlace && heard.status !== 404 && heard.status !== 405) return misplaced(heard, ms);
  const key = await keyStep(service, heard);
  if (!key.ok)
    return [{ ...key, ms: service.now() - startedAt }, ...waiting([...Array<Step>(4).fill(key)], 'Waits for the key.')];
  return [
    { ...key, ms: service.now() - startedAt },
    protocolStep(heard, key.speaks, ms),
    modelStep(service.profile, heard.models),
  ];
}

function misplaced(heard: Heard, ms: number): Step[] {
  return [
    { name: 'key', ok: false, message: `Waits for ${PARTS.protocol}.` },
    { name: 'protocol', ok: false, message: heard.error?.message ?? 'The service cannot be understood.', ms },
    { name: 'model', ok: false, message: `Waits for ${PARTS.protocol}.` },
  ];
}

async function listModels(service: Service, withKey: boolean): Promise<Heard> {
  const headers = { ...plainHeaders(), ...(withKey ? bearer(service) : {}) };
  const asked = await ask(service, {
    method: 'GET',
    url: urlOf(service, '/v1/models'),
    headers,
    headerMs: HEADER_MS.test,
  });
  if (asked.failure) return { status: 0, json: false, error: failureError(service, asked.failure) };
  const { answer } = asked;
  const error = refusalError(service, answer);
  return {
    status: answer.status,
    json: answer.form === 'json',
    models: error ? undefined : listedModels(answer.json),
    ...(error ? { error } : {}),
  };
}

interface KeyStep extends Step {
  /** The service spoke JSON somewhere. */
  speaks: boolean;
}

async function keyStep(service: Service, heard: Heard): Promise<KeyStep> {
  const step = (ok: boolean, message: string, speaks = heard.json): KeyStep => ({ name: 'key', ok, message, speaks });
  const hasKey = service.secrets.apiKey !== undefined;
  if (heard.error?.kind === 'auth')
    return step(
      false,
      hasKey ? `The key is refused: ${heard.error.message}` : 'The service wants a key, and none is stored.',
    );
  if (heard.error && ![404, 405].includes(heard.status))
    return step(false, `The key cannot be checked: ${heard.error.message}`);
  if (hasKey && heard.status === 200 && (await listModels(service, false)).error?.kind === 'auth')
    return step(true, 'The key is accepted.');
  const looked = await pollImage(service, { id: 'connection-test', kind: 'image', acceptedAt: service.now() });
  const error = 'error' in looked ? looked.error : undefined;
  const speaks = heard.json || looked.type === 'missing' || looked.type === 'running';
  if (error?.kind === 'auth') {
    const tried = imageAuths(service)
      .flatMap(({ name }) => name ?? [])
      .join(', ');
    return step(
      false,
      hasKey ? `The image endpoints refuse the key, sent as ${tried}.` : 'The service wants a key, and none is stored.',
      speaks,
    );
  }
  if (!hasKey) return step(true, 'The service asks for no key.', speaks);
  return step(true, 'Nothing contradicts the key; the service does not check it before the first order.', speaks);
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
  return {
    name: 'protocol',
    ok: false,
    message:
      heard.error?.message ?? 'The service does not know the addresses of a gateway: the base URL is probably wrong.',
    ms,
  };
}
