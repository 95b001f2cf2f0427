import type { StatedModel } from '../../../../shared/gateway/modelFacts.ts';
import { t } from '../../../../shared/text/texts.ts';
import { explicitError, gatewayError, isDenied, transportError } from '../errors/index.ts';
import { listedEntries } from '../families/index.ts';
import type { Failure } from '../http/index.ts';
import { isObject, type Json } from '../json/index.ts';
import type { Service } from '../service.ts';
import type { ModelsOutcome } from '../types.ts';
import { endpointsOf, queryEndpoint } from './accountEndpoints.ts';
import { statedFacts } from './modelFactRules.ts';

/** Where services of this kind list their models; the later ones say more of the same models. */
const PATHS = ['/v1/models', '/v1/videos/models', '/v1/model/info'] as const;
const MAX_MODELS = 10_000;

/** Reads what the service publishes of its models. Only lists are requested, and nothing of it is billed. */
export async function readModels(service: Service): Promise<ModelsOutcome> {
  const models = new Map<string, StatedModel>();
  const lists: ListAnswer[] = [];
  for (const path of PATHS) {
    const list = await listAt(service, path);
    lists.push(list);
    // Without an answer to the first, the others would only be waited for too.
    if (list.failure && lists.length === 1) break;
    addTo(models, list.models ?? new Map());
  }
  const from = lists.find(({ models: found }) => found)?.from;
  if (from !== undefined)
    return { type: 'listed', from, models: [...models].map(([id, stated]) => ({ id, ...stated })) };
  const failure = lists[0]?.failure;
  if (failure) return { type: 'unreachable', error: transportError(service, failure) };
  if (!lists.some(({ isRefused }) => isRefused)) return { type: 'none' };
  const message = t`The gateway shows its models to nobody with this key.`;
  return { type: 'unreachable', error: gatewayError(service, { kind: 'auth', message, accepted: 'no' }) };
}

interface ListAnswer {
  models?: Map<string, StatedModel> | undefined;
  from?: string;
  failure?: Failure;
  isRefused: boolean;
}

/** The list at a path: below the base URL, or at the root of the host. */
async function listAt(service: Service, path: (typeof PATHS)[number]): Promise<ListAnswer> {
  let isRefused = false;
  for (const url of endpointsOf(service, path)) {
    const { answer, failure, status } = await queryEndpoint(service, url);
    if (failure) return { failure, isRefused };
    isRefused ||= isDenied(status);
    const models = answer && !explicitError(answer.json) ? modelsIn(answer.json) : undefined;
    if (models) return { models, from: `${url.host}${url.pathname}`, isRefused };
  }
  return { isRefused };
}

/** What a list states of each of its models; undefined if it is no such list. */
export function modelsIn(body: Json | undefined): Map<string, StatedModel> | undefined {
  const list = listedEntries(body);
  if (!list) return undefined;
  const models = new Map<string, StatedModel>();
  for (const { id, entry } of list.slice(0, MAX_MODELS)) {
    if (id.length > 200 || models.has(id)) continue;
    const inner = isObject(entry) ? entry.model_info : undefined;
    const states = [entry, inner].filter(isObject).map(statedFacts);
    const facts = Object.assign({}, ...states.map((each) => each.facts));
    models.set(id, { facts, by: Object.assign({}, ...states.map((each) => each.by)) });
  }
  return models;
}

/** What one list states of a model is completed by the next, and never replaced. */
function addTo(models: Map<string, StatedModel>, found: ReadonlyMap<string, StatedModel>): void {
  for (const [id, more] of found) {
    const known = models.get(id);
    models.set(id, known ? { facts: { ...more.facts, ...known.facts }, by: { ...more.by, ...known.by } } : more);
  }
}
