import type { ConnectionCheck, ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OWN_PROTOCOLS, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { readSigns, spokenIn } from '../families/spokenFormat.ts';
import { isDialectTaken } from '../families/video.ts';
import type { Failure } from '../http/failure.ts';
import type { Service } from '../service.ts';
import { foundSettings } from './foundSettings.ts';
import {
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
 * Tests a profile from the bottom up: name, port, encryption, key, protocol, models. It requests only lists and polls of an
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
const skipped = (name: Step['name']): Step => ({ name, ok: false, message: t`Not checked` });
const skippedSteps = (from: number): Step[] => NAMES.slice(from).map(skipped);

/** The steps of a connection over which a request has left. */
function networkSteps({ profile }: Service): Step[] {
  const { protocol, host } = new URL(profile.baseUrl);
  const secure = protocol === 'http:' ? t`Not used` : t`Passed`;
  return [
    { name: 'dns', ok: true, message: host },
    { name: 'connect', ok: true, message: host },
    { name: 'tls', ok: true, message: secure },
  ];
}

/** The same up to the one that failed, so that the request never left. */
function stepsUntil(passed: readonly Step[], { at = 'connect', message }: Failure): Step[] {
  const failed = NAMES.indexOf(at);
  return [...passed.slice(0, failed), { name: at, ok: false, message }, ...skippedSteps(failed + 1)];
}

async function serviceSteps(
  service: Service,
  modelList: ModelListAnswer,
  { startedAt, ms }: { startedAt: number; ms: number },
): Promise<ConnectionTest> {
  if (isWrongAddress(modelList)) return { steps: wrongAddressSteps(modelList, ms) };
  let pictures: Promise<PictureLookUp> | undefined;
  const lookUp = (): Promise<PictureLookUp> => {
    pictures ??= lookUpPicture(service);
    return pictures;
  };
  const clock = clockCheck(modelList.date, service.now());
  const { speaksJson, ...result } = await checkKey(service, modelList, lookUp);
  const key: Step = { name: 'key', ...result, ms: service.now() - startedAt };
  if (!key.ok) return { steps: [key, ...skippedSteps(4)], checks: [clock] };
  const protocol = protocolStep(modelList, speaksJson, ms);
  if (protocol.ok) await findFormats(service, modelList, lookUp);
  if (protocol.ok && makesVideo(service) && isInChat(service)) addDialect(service, protocol);
  const images = await imagesCheck(service, lookUp);
  return {
    steps: [key, protocol, { ...modelStep(service.profile, modelList.models), ms }],
    checks: [images, clock],
    missing: missingModels(service.profile, modelList.models),
    ...(images.ok ? {} : { untriedHeaders: untriedHeaders(service.profile) }),
  };
}

/**
 * Looks for API formats by free queries. A format that has worked is never replaced: video requests were accepted in it, or image tasks
 * were queried or recognized in it. The image format also stays while the image side does not answer.
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
  const check = (ok: boolean, message: string): ConnectionCheck => ({ name: 'images', ok, message, ms });
  if (refused) return check(false, t`The image endpoints refuse the key.`);
  if (!silent) return check(true, t`The key is accepted.`);
  return check(true, error?.message ?? t`No answer`);
}

/** With a larger difference, the expiry times of links cannot be relied on. */
const CLOCK_MS = 60_000;

/** Compares the clocks only roughly: a `Date` header has whole seconds, and the answer took time to arrive. */
function clockCheck(date: string | undefined, now: number): ConnectionCheck {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return { name: 'clock', ok: true, message: t`Not stated` };
  const apart = Math.abs(time - now);
  const ok = apart <= CLOCK_MS;
  const words = apart < 120_000 ? `${Math.round(apart / 1_000)} s` : `${Math.round(apart / 60_000)} min`;
  const message = ok ? t`Passed` : t`This computer’s clock is ${words} off. Set it, or times of links are wrong.`;
  return { name: 'clock', ok, message };
}

const makesVideo = ({ profile }: Service): boolean => profile.models.some(({ kind }) => kind === 'video');

/** Adds whether video options are known to work. Only a billed request can test them. */
function addDialect(service: Service, protocol: Step): void {
  if (isDialectTaken(service)) protocol.message += ` ${t`Video options have worked before.`}`;
  else protocol.untried = t`The first job checks the video options.`;
}

const NO_GATEWAY = t`The answer is not a gateway’s. Check the base URL.`;

/** Whether a web page or a redirect came instead of a gateway's answer. */
function isWrongAddress({ status, json, error }: ModelListAnswer): boolean {
  if (error === undefined || error.kind === 'auth' || json) return false;
  return status >= 200 && status < 500 && ![404, 405, 429].includes(status);
}

/** The failed step comes first, because the key could not be tried. */
function wrongAddressSteps(modelList: ModelListAnswer, ms: number): Step[] {
  return [
    { name: 'protocol', ok: false, message: modelList.error?.message ?? NO_GATEWAY, ms },
    skipped('key'),
    skipped('model'),
  ];
}

function protocolStep(modelList: ModelListAnswer, speaksJson: boolean, ms: number): Step {
  const step = (ok: boolean, message: string): Step => ({ name: 'protocol', ok, message, ms });
  if (modelList.models) return step(true, t`The gateway answers as expected.`);
  if (modelList.status === 200) return step(false, NO_GATEWAY);
  if (speaksJson) return step(true, t`The gateway has no list of models.`);
  const reason = modelList.status === 404 || modelList.status === 405 ? undefined : modelList.error?.message;
  return step(false, reason ?? NO_GATEWAY);
}
