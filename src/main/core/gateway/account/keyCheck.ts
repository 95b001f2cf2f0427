import type { ConnectionStep } from '../../../../shared/gateway/connection.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { httpError, saysNoRoute, transportError } from '../errors/gatewayError.ts';
import { HEADER_MS, queryList } from '../exchange/request.ts';
import { pollImage } from '../families/imageTasks/imageTask.ts';
import { listedEntries } from '../families/spokenFormat.ts';
import type { Failure } from '../http/failure.ts';
import { urlOf } from '../http/origin.ts';
import type { Json } from '../json/parse.ts';
import { imageAuths, type Service } from '../service.ts';
import type { GatewayError } from '../types.ts';

/** The answer to a query for the list of models. */
export interface ModelListAnswer {
  /** 0 where there was no answer. */
  status: number;
  models?: string[];
  body?: Json | undefined;
  /** The service's time, if it states one: its `Date` header. */
  date?: string;
  /** Whether the answer was JSON, of any content. */
  json: boolean;
  error?: GatewayError;
  failure?: Failure;
}

export async function listModels(service: Service, withKey: boolean): Promise<ModelListAnswer> {
  const { answer, failure } = await queryList(service, urlOf(service, '/v1/models'), withKey);
  if (failure) return { status: 0, json: false, error: transportError(service, failure), failure };
  const error = httpError(service, answer);
  const models = error ? undefined : listedEntries(answer.json)?.map(({ id }) => id);
  const { date } = answer.headers;
  const told = { ...(date === undefined ? {} : { date }), ...(error ? { error } : {}) };
  return { status: answer.status, json: answer.form === 'json', models, body: answer.json, ...told };
}

/** The result of a query for an image task that does not exist. */
export interface PictureLookUp {
  refused: boolean;
  speaksJson: boolean;
  /** No answer came back. */
  silent: boolean;
  error?: GatewayError;
}

interface KeyCheck {
  ok: boolean;
  message: string;
  /** The service answered in JSON at least once. */
  speaksJson: boolean;
}

/**
 * Whether the key is good, as far as a free request can show it. If the list of models is refused without the key, the list proves the
 * key; if anyone may see the list, polling an unknown image task shows whether the key is refused.
 */
export async function checkKey(
  service: Service,
  modelList: ModelListAnswer,
  lookUp: () => Promise<PictureLookUp>,
): Promise<KeyCheck> {
  const hasKey = service.secrets.apiKey !== undefined;
  const result = (ok: boolean, message: string, speaksJson = modelList.json): KeyCheck => ({ ok, message, speaksJson });
  const refused = (reason: string): KeyCheck => result(false, hasKey ? reason : t`The gateway needs a key.`);
  if (modelList.error?.kind === 'auth') return refused(en`The key is refused: ${modelList.error.message}`);
  if (modelList.error && ![404, 405].includes(modelList.status))
    return result(false, `The key cannot be checked: ${modelList.error.message}`);
  if (hasKey && modelList.models && (await listModels(service, false)).error?.kind === 'auth')
    return result(true, t`The key is accepted.`);
  const lookup = await lookUp();
  if (lookup.refused) return refused(en`The image endpoints refuse the key, sent as ${authSpellings(service)}.`);
  const speaksJson = modelList.json || lookup.speaksJson;
  if (!hasKey) return result(true, t`The gateway asks for no key.`, speaksJson);
  return result(true, t`The gateway checks the key with the first job.`, speaksJson);
}

/** Asks for an image task that does not exist, under each header name of the profile: nobody bills it. */
export async function lookUpPicture(service: Service): Promise<PictureLookUp> {
  const limit = new AbortController();
  const cancel = service.after(HEADER_MS.test, () => limit.abort());
  const lookup = await pollImage(
    service,
    { id: 'connection-test', kind: 'image', acceptedAt: service.now() },
    limit.signal,
  );
  cancel();
  const refused = lookup.type === 'unreachable' && lookup.error.kind === 'auth';
  return {
    refused,
    silent: lookup.type === 'unreachable' && !refused,
    ...('error' in lookup && lookup.error ? { error: lookup.error } : {}),
    speaksJson: lookup.type === 'running' || (lookup.type === 'missing' && speaksOfTask(lookup.error)),
  };
}

/** Any web server answers 404; a gateway names what was not found. */
function speaksOfTask(error: GatewayError | undefined): boolean {
  if (error?.status !== 404 && error?.status !== 405) return true;
  if (saysNoRoute(error.message)) return false;
  return /\b(task|job|record|id)\b|任务/i.test(error.message);
}

export function authSpellings(service: Service): string {
  return imageAuths(service)
    .flatMap(({ name }) => name ?? [])
    .join(', ');
}

/** The profile's models that a list has. Image models are chosen by a flag in the prompt (spec 9.3). */
const wantedModels = ({ models }: Profile): string[] =>
  models.filter(({ kind }) => kind !== 'image').map(({ id }) => id);

/** The models of the profile that a list leaves out. */
export function missingModels(profile: Profile, listed: string[] | undefined): string[] {
  const known = new Set(listed);
  return listed ? wantedModels(profile).filter((id) => !known.has(id)) : [];
}

/** Whether the service lists the profile's models. */
export function modelStep(profile: Profile, listed: string[] | undefined): ConnectionStep {
  const step = (ok: boolean, message: string): ConnectionStep => ({ name: 'model', ok, message });
  if (!listed) return step(true, t`The gateway has no list of models.`);
  const missing = missingModels(profile, listed);
  if (missing.length === 0) return step(true, t`The gateway lists your models.`);
  const some = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ` and ${missing.length - 5} more` : '');
  return step(false, t`Not in the gateway’s list: ${some}.`);
}

/** Header names that services of this kind use for the key of images (spec 5.3) and that the profile does not try. */
export function untriedHeaders({ imageAuthHeaders, imagePrefix }: Profile): string[] {
  const platform = imagePrefix.split('/').at(-1)?.toUpperCase() ?? '';
  const known = new Set(imageAuthHeaders.map((name) => name.toLowerCase()));
  const named = /^[A-Z0-9-]{1,40}$/.test(platform) ? [`${platform}-API-KEY`, `${platform}-KEY`] : [];
  return ['Authorization', 'X-API-Key', 'api-key', ...named].filter((name) => !known.has(name.toLowerCase()));
}

/** Tries the key under each name alone, by asking for a task that does not exist; the first that is not refused. */
export async function tryImageHeaders(service: Service, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const alone = { ...service, profile: { ...service.profile, imageAuthHeaders: [name] } };
    const { refused, silent } = await lookUpPicture(alone);
    if (silent) return undefined;
    if (!refused) return name;
  }
  return undefined;
}
