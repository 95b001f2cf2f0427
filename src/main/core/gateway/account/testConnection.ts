import type { ConnectionCheck, ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OWN_PROTOCOLS, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { isDialectTaken, isOwnDialect, readSigns, spokenIn, videoDialect } from '../families/index.ts';
import type { Failure } from '../http/index.ts';
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
  const startedAt = service.now();
  const modelList = await listModels(service, true);
  const ms = service.now() - startedAt;
  const passed = networkSteps(service);
  const { failure } = modelList;
  if (failure && !failure.sent) return { steps: stepsUntil(passed, failure) };
  const { steps, ...rest } = await serviceSteps(service, modelList, { startedAt, ms });
  return { steps: [...passed, ...steps], ...rest, found: foundSettings(service) };
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

/** The steps of a connection over which a request has left. */
function networkSteps({ profile }: Service): Step[] {
  const { protocol, host } = new URL(profile.baseUrl);
  const secure =
    protocol === 'http:'
      ? t`Not used: the base URL starts with http://.`
      : t`The connection is encrypted and its certificate is good.`;
  return [
    { name: 'dns', ok: true, message: t`The address of ${host} was found.` },
    { name: 'connect', ok: true, message: t`${host} answers.` },
    { name: 'tls', ok: true, message: secure },
  ];
}

/** The same up to the one that failed, so that the request never left. */
function stepsUntil(passed: readonly Step[], { at = 'connect', message }: Failure): Step[] {
  const failed = NAMES.indexOf(at);
  return [
    ...passed.slice(0, failed),
    { name: at, ok: false, message },
    ...skippedSteps(failed + 1, t`Waits for ${PARTS[at]}.`),
  ];
}

async function serviceSteps(
  service: Service,
  modelList: ModelListAnswer,
  { startedAt, ms }: { startedAt: number; ms: number },
): Promise<ConnectionTest> {
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
