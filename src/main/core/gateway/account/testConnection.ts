import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionCheck, ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OWN_PROTOCOLS, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { isDialectTaken, isOwnDialect, readSigns, spokenIn, videoDialect } from '../families/index.ts';
import { connectionFailure } from '../http/index.ts';
import type { Service } from '../service.ts';
import type { VideoDialect } from '../types.ts';
import { foundSettings, readDescribedDialect } from './dialect.ts';
import {
  authSpellings,
  checkKey,
  listModels,
  lookUpPicture,
  type ModelListAnswer,
  missingModels,
  modelStep,
  type PictureLookUp,
  untriedHeaders,
} from './keyCheck.ts';

type Step = ConnectionStep;

/**
 * Tests a profile from the bottom up: name, port, encryption, key, protocol, models. It requests only lists, descriptions and polls of an
 * unknown task, which no service bills, and never submits anything. After a failed step, the later ones say what they wait for.
 */
export async function testConnection(service: Service): Promise<ConnectionTest> {
  const steps: Step[] = [];
  const wires = await networkSteps(service, steps);
  if (!wires)
    return { steps: [...steps, ...skippedSteps(steps.length, t`Waits for ${PARTS[steps.at(-1)?.name ?? 'dns']}.`)] };
  const { steps: more, ...rest } = await serviceSteps(service);
  return { steps: [...steps, ...more], ...rest, found: foundSettings(service) };
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

function skippedSteps(from: number, message: string): Step[] {
  return NAMES.slice(from).map((name) => ({ name, ok: false, message }));
}

async function networkSteps(service: Service, steps: Step[]): Promise<boolean> {
  const base = new URL(service.profile.baseUrl);
  const proxy = await service.transport.proxyOf(base);
  if (typeof proxy === 'object') {
    steps.push({ name: 'dns', ok: false, message: proxy.unusable });
    return false;
  }
  const throughProxy = proxy !== undefined;
  const target = targetOf(throughProxy ? new URL(proxy) : base);
  const secure = async (): Promise<StepResult> => {
    if (base.protocol === 'http:') return { ok: true, message: t`Not used: the base URL starts with http://.` };
    if (throughProxy) return { ok: true, message: t`Goes through the proxy; the next step shows whether it holds.` };
    return checkTls(service, target);
  };
  const run: [Step['name'], () => Promise<StepResult>][] = [
    ['dns', () => resolveName(target)],
    ['connect', () => checkPort(service, target)],
    ['tls', secure],
  ];
  for (const [name, look] of run) {
    const startedAt = service.now();
    const result = await look();
    steps.push({ name, ...result, ms: service.now() - startedAt });
    if (!result.ok) return false;
  }
  return true;
}

async function serviceSteps(service: Service): Promise<ConnectionTest> {
  const startedAt = service.now();
  const modelList = await listModels(service, true);
  const ms = service.now() - startedAt;
  if (isWrongPlace(modelList)) return { steps: wrongPlaceSteps(modelList, ms) };
  let pictures: Promise<PictureLookUp> | undefined;
  const lookUp = (): Promise<PictureLookUp> => {
    pictures ??= lookUpPicture(service);
    return pictures;
  };
  const clock = clockCheck(modelList.date, service.now());
  const { speaksJson, ...result } = await checkKey(service, modelList, lookUp);
  const key: Step = { name: 'key', ...result, ms: service.now() - startedAt };
  if (!key.ok) return { steps: [key, ...skippedSteps(4, t`Waits for the key.`)], checks: [clock] };
  const protocol = protocolStep(modelList, speaksJson, ms);
  if (protocol.ok) await findFormats(service, modelList, lookUp);
  if (protocol.ok && makesVideo(service) && isInChat(service)) await addDialect(service, protocol);
  const images = await imagesCheck(service, lookUp);
  return {
    steps: [key, protocol, { ...modelStep(service.profile, modelList.models), ms }],
    checks: [images, clock],
    missing: missingModels(service.profile, modelList.models),
    ...(images.ok ? {} : { untriedHeaders: untriedHeaders(service.profile) }),
  };
}

/**
 * The API formats that free signs show. One that has worked stays: it took an order, or it was asked for an image task, or knows what
 * that is; and so does that of pictures while their side does not answer.
 */
async function findFormats(
  service: Service,
  modelList: ModelListAnswer,
  lookUp: () => Promise<PictureLookUp>,
): Promise<void> {
  const { protocols = {}, foundBy, takenSpelling, fetchMethod } = service.memory();
  if (foundBy?.protocols?.by === 'accepted') return;
  const { video, image } = spokenIn(await readSigns(service, modelList.body));
  const isVideoKnown = video === undefined || takenSpelling !== undefined;
  const isImageKnown = image === undefined || fetchMethod !== undefined || hasImageTasks(await lookUp());
  const found = { ...(isVideoKnown ? {} : { video }), ...(isImageKnown ? {} : { image }) };
  if (Object.keys(found).length > 0) service.learn({ protocols: { ...protocols, ...found } }, 'listed');
}

const hasImageTasks = ({ speaksJson, silent }: PictureLookUp): boolean => speaksJson || silent;

const isInChat = ({ profile, memory }: Service): boolean =>
  protocolsOf({ protocols: profile.protocols, spoken: memory().protocols }).video === OWN_PROTOCOLS.video;

/** Whether the image side takes the key that the chat side takes. */
async function imagesCheck(service: Service, lookUp: () => Promise<PictureLookUp>): Promise<ConnectionCheck> {
  const startedAt = service.now();
  const { refused, silent, error } = await lookUp();
  const ms = service.now() - startedAt;
  const status = error?.status === undefined ? '' : ` (${error.status})`;
  const check = (ok: boolean, message: string): ConnectionCheck => ({ name: 'images', ok, message, ms });
  if (refused)
    return check(
      false,
      t`The image side refuses the key${status}, the chat side takes it. It was sent as ${authSpellings(service)}.`,
    );
  if (!silent) return check(true, t`The image side does not refuse the key.`);
  return check(true, t`The image side could not be asked${status}: ${error?.message ?? t`no answer`}`);
}

/** Further apart than this, the time until which a link lives says little. */
const CLOCK_MS = 60_000;

/** A `Date` header has whole seconds, and its answer was on the way. */
function clockCheck(date: string | undefined, now: number): ConnectionCheck {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return { name: 'clock', ok: true, message: t`The gateway states no time.` };
  const apart = Math.abs(time - now);
  const ok = apart <= CLOCK_MS;
  const words =
    apart < 2_000
      ? 'less than 2 s'
      : apart < 120_000
        ? `${Math.round(apart / 1_000)} s`
        : `${Math.round(apart / 60_000)} min`;
  const trust = ok ? 'the times of links can be trusted' : 'the times of links say little: set this machine’s clock';
  return { name: 'clock', ok, message: t`${words} apart, ${trust}.` };
}

const makesVideo = ({ profile }: Service): boolean => profile.models.some(({ kind }) => kind === 'video');

/** How video options are spelled, and how far that is known: nothing that is not billed can try it. */
async function addDialect(service: Service, protocol: Step): Promise<void> {
  const found = await readDescribedDialect(service);
  const described = typeof found === 'object' ? formWords(found) : undefined;
  const form = formWords(videoDialect(service));
  if (described === form) {
    protocol.message += ` ${t`It describes video options ${form}; requests are sent in this form.`}`;
    return;
  }
  if (described !== undefined) protocol.message += ` ${t`It describes video options ${described}.`}`;
  if (isDialectTaken(service))
    protocol.message += ` ${t`Video options go ${form}, as an order was taken in this form.`}`;
  else protocol.untried = untriedWords(typeof found === 'object' ? 'other' : found, form, isOwnDialect(service));
}

const formWords = ({ vendor, fieldCase, seedPlacement }: VideoDialect): string =>
  t`under "${vendor}" in ${fieldCase === 'snake' ? 'snake_case' : t`camelCase`}, with the seed ${
    seedPlacement === 'config' ? t`in` : t`beside`
  } config`;

const WHY_UNTRIED = {
  none: t`It does not describe how it takes video options.`,
  unread: t`Whether it describes how it takes video options could not be read.`,
  other: t`It describes how it takes video options in another form.`,
};

function untriedWords(described: keyof typeof WHY_UNTRIED, form: string, isOwn: boolean): string {
  const why = WHY_UNTRIED[described];
  const from = isOwn ? t`as set for this gateway` : t`as was found earlier`;
  return t`${why} They go ${form}, ${from}: untried, and the first order tells. A refusal costs nothing: the order goes again in the form that it names, or fails where it names none.`;
}

/** Whether a web page or a redirect came instead of a gateway's answer. */
function isWrongPlace({ status, json, error }: ModelListAnswer): boolean {
  if (error === undefined || error.kind === 'auth' || json) return false;
  return status >= 200 && status < 500 && ![404, 405, 429].includes(status);
}

/** The failed step comes first, because the key could not be tried. */
function wrongPlaceSteps(modelList: ModelListAnswer, ms: number): Step[] {
  return [
    { name: 'protocol', ok: false, message: modelList.error?.message ?? t`The gateway cannot be understood.`, ms },
    { name: 'key', ok: false, message: t`Waits for ${PARTS.protocol}.` },
    { name: 'model', ok: false, message: t`Waits for ${PARTS.protocol}.` },
  ];
}

function protocolStep(modelList: ModelListAnswer, speaksJson: boolean, ms: number): Step {
  const step = (ok: boolean, message: string): Step => ({ name: 'protocol', ok, message, ms });
  if (modelList.models) return step(true, t`The gateway speaks as expected.`);
  if (modelList.status === 200)
    return step(false, t`The gateway answers, but not with a list of models: the base URL may be wrong.`);
  if (speaksJson) return step(true, t`The gateway answers in JSON; it has no list of models.`);
  const reason = modelList.status === 404 || modelList.status === 405 ? undefined : modelList.error?.message;
  return step(false, reason ?? t`The server does not answer as a gateway: the base URL is probably wrong.`);
}

/** The result of one step; the first three are separate so that the failed one can be named. */
interface StepResult {
  ok: boolean;
  message: string;
}

const STEP_MS = 10_000;

interface Target {
  host: string;
  port: number;
  /** The name for sentences. */
  name: string;
}

/** The destination of the first connection: the proxy, if one is set and the service is not on this machine. */
function targetOf(url: URL): Target {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80), name: url.host };
}

async function resolveName({ host, name }: Target): Promise<StepResult> {
  if (isIP(host) !== 0) return { ok: true, message: t`${host} is an address by itself; nothing to look up.` };
  try {
    const found = await lookup(host, { all: true });
    return { ok: true, message: t`${host} is ${found.map(({ address }) => address).join(', ')}.` };
  } catch (error) {
    return { ok: false, message: connectionFailure(error, name, false).message };
  }
}

function checkPort(service: Service, target: Target): Promise<StepResult> {
  return connectStep(service, target, 'connect', t`${target.name} answers.`, () =>
    connectTcp({ host: target.host, port: target.port }),
  );
}

function checkTls(service: Service, target: Target): Promise<StepResult> {
  const servername = isIP(target.host) === 0 ? target.host : undefined;
  const open = () => connectTls({ host: target.host, port: target.port, servername, ...service.transport.tls() });
  return connectStep(
    service,
    target,
    'secureConnect',
    t`The connection is encrypted and its certificate is good.`,
    open,
  );
}

function connectStep(
  service: Service,
  target: Target,
  event: string,
  fine: string,
  open: () => Socket,
): Promise<StepResult> {
  return new Promise((resolve) => {
    const socket = open();
    const finish = (result: StepResult): void => {
      cancel();
      socket.destroy();
      resolve(result);
    };
    const fail = (error: unknown): void =>
      finish({ ok: false, message: connectionFailure(error, target.name, false).message });
    const cancel = service.after(STEP_MS, () => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once(event, () => finish({ ok: true, message: fine }));
    socket.on('error', fail);
  });
}
