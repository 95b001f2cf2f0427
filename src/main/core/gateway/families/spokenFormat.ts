import type { Reason } from '../../../../shared/contract/result.ts';
import {
  type FormatEvidence,
  imageFamilies,
  type Match,
  videoFamilies,
} from '../../../../shared/wire/families/index.ts';
import { type MediaProtocols, type Medium, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { gatewayError, isNoSuchRoute } from '../errors/gatewayError.ts';
import { serviceErrorOf } from '../errors/serviceError.ts';
import { queryList } from '../exchange/request.ts';
import { urlOf } from '../http/origin.ts';
import { field, listOf, textOf } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';
import { refused, retryWithNextSpelling } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import type { Sent } from '../tasks/submitOnce.ts';
import type { SendOptions, SubmitOutcome } from '../types.ts';

/** The API formats that a gateway speaks, as far as free queries show it (wire-families, "How a family shows itself"). */

/** No task has it. */
const MADE_UP = 'dailies-check';

/** The signs from free queries. `models`: the answer to the list of models, if it was read already. */
export async function readSigns(service: Service, models?: Json): Promise<FormatEvidence> {
  const list = models ?? (await queryList(service, urlOf(service, '/v1/models'))).answer?.json;
  const entries = listedEntries(list) ?? [];
  const words = (look: (entry: Json) => Json | undefined) =>
    entries.flatMap(({ entry }) => listOf(look(entry)).flatMap((word) => textOf(word) ?? []));
  const routes: Record<string, boolean> = {};
  for (const [route, shown] of Object.entries(ROUTES)) {
    const { answer } = await queryList(service, urlOf(service, route.replace('{id}', MADE_UP) as `/${string}`));
    if (answer === undefined || answer.status >= 500 || [401, 403, 429].includes(answer.status)) continue;
    if (shown(answer.status, answer.json)) routes[route] = true;
    else if (isNoSuchRoute(answer) || (route.endsWith('/models') && answer.form === 'json')) routes[route] = false;
  }
  return {
    endpointTypes: words((entry) => field(entry, 'supportedEndpointTypes')),
    outputs: words((entry) => field(field(entry, 'architecture'), 'outputModalities')),
    routes,
  };
}

/** Routes with a check that only the right gateway passes: a list with lengths of clips, or new-api's sentence for an unknown task. */
const ROUTES: Readonly<Record<string, (status: number, body: Json | undefined) => boolean>> = {
  '/v1/videos/models': (status, body) =>
    status === 200 &&
    (listedEntries(body) ?? []).some(({ entry }) => field(entry, 'supportedDurations', 'pricingSkus') !== undefined),
  '/v1/videos/{id}': isUnknownTask,
  '/v1/video/generations/{id}': isUnknownTask,
};

function isUnknownTask(status: number, body: Json | undefined): boolean {
  return status >= 400 && serviceErrorOf(body ?? '').codes.includes('task_not_exist');
}

/** The formats that the signs show for certain, the first of each kind. */
export function spokenIn(signs: FormatEvidence): Partial<MediaProtocols> {
  const first = (families: readonly { name: string; match: (signs: FormatEvidence) => { speaks: string } }[]) =>
    families.find((family) => family.match(signs).speaks === 'yes')?.name;
  const [video, image] = [first(videoFamilies()), first(imageFamilies())];
  return { ...(video === undefined ? {} : { video }), ...(image === undefined ? {} : { image }) };
}

/** The entries of a list of models with their ids; undefined if the answer is no such list. */
export function listedEntries(body: Json | undefined): { id: string; entry: Json }[] | undefined {
  const places = [body, field(body, 'data', 'models'), field(field(body, 'data'), 'data', 'models')];
  return places.find(Array.isArray)?.flatMap((entry: Json) => {
    const id = textOf(entry) ?? textOf(field(entry, 'id', 'modelName', 'model', 'modelId', 'slug', 'name'));
    return id === undefined ? [] : [{ id, entry }];
  });
}

interface Formats {
  medium: Medium;
  /** The formats beside the specification's own. */
  families: readonly { name: string; match(signs: FormatEvidence): Match }[];
  /**
   * Parts of this request that a format cannot express, or that it needs and the request lacks. If there are any, the request is not sent
   * in that format.
   */
  lacks(name: string): Reason[];
  submit(name: string): Promise<Sent>;
}

/**
 * Sends a request in the current format. If the user did not choose the format and the gateway definitely has no such route, the next one
 * is tried: first a format that free signs show, then one that they do not exclude.
 */
export async function bySpokenFormat(
  service: Service,
  send: SendOptions,
  { medium, families, lacks, submit }: Formats,
): Promise<SubmitOutcome> {
  const isSet = service.profile.protocols[medium] !== undefined;
  let signs: Promise<FormatEvidence> | undefined;
  const { outcome } = await retryWithNextSpelling<string, Sent>(send, {
    first: spokenProtocols(service)[medium],
    nameOf: (name) => name,
    submit: async (name) => {
      const [reason] = lacks(name);
      if (!reason) return submit(name);
      const message = `${reason.field}: ${reason.message}`;
      return { outcome: refused(gatewayError(service, { kind: 'invalid', message, accepted: 'no' })) };
    },
    async next({ hasNoRoute }, _, isTried) {
      if (isSet || !hasNoRoute) return undefined;
      signs ??= readSigns(service);
      const shown = await signs;
      const untried = families
        .filter(({ name }) => !isTried(name) && lacks(name).length === 0)
        .map((one) => ({ one, match: one.match(shown) }));
      const next =
        untried.find(({ match }) => match.speaks === 'yes') ?? untried.find(({ match }) => match.speaks === 'unknown');
      return next?.one.name;
    },
    learn: (name) => service.learn({ protocols: { ...service.memory().protocols, [medium]: name } }, 'accepted'),
  });
  return outcome;
}

/** The formats in use. */
const spokenProtocols = ({ profile, memory }: Service) =>
  protocolsOf({ protocols: profile.protocols, spoken: memory().protocols });
