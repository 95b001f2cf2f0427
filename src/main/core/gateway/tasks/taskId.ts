import { mediaBytes, nestedObjects } from '../addresses/mediaAddress.ts';
import { echoOf } from '../exchange/echo.ts';
import { field, firstOf, isObject, layersOf, listOf, textOf } from '../json/fields.ts';
import { type Json, type JsonObject, parseJson, unwrapText } from '../json/parse.ts';
import type { RemoteTask } from '../types.ts';
import { isFailure, stateOfWord } from './status.ts';

const TASK_FIELDS = (
  'taskId jobId operationName operationId generationId predictionId videoId imagineId jobIds taskIds ticketId ' +
  'messageId taskUuid'
).split(' ');
/**
 * Names that are also used for other things, so they count only if nothing else names the task. Venice, Comfy Deploy, Amazon Bedrock, Eden
 * AI, Picsart, ComfyUI.
 */
const OTHER_IDS =
  'queueId runId invocationArn publicId uuid uid hash requestId imageGenerationId inferenceId promptId'.split(' ');
const POLL_FIELDS = 'pollingUrl pollUrl statusUrl fetchUrl queryUrl getUrl taskUrl operationUrl responseUrl'.split(' ');

/** The id of the task that the answer is about, as the service wrote it, with all its digits. */
export function taskIdOf(body: Json): string | undefined {
  const layers = layersOf(body);
  return (
    firstOf(layers, (layer) => idText(field(layer, ...TASK_FIELDS))) ??
    firstOf(layers, operationName) ??
    firstOf(layers, (layer) => (isChatAnswer(layer) ? undefined : idText(field(layer, 'id')))) ??
    firstOf(layers, (layer) => plainId(field(layer, 'result', 'data', 'task', 'job', 'output', 'response'))) ??
    firstOf(nestedObjects(body), (layer) => idText(field(layer, ...TASK_FIELDS))) ??
    firstOf(nestedObjects(body), nestedTask) ??
    firstOf(nestedObjects(body), (layer) => (hasStateWord(layer) ? idText(field(layer, 'id')) : undefined)) ??
    firstOf(layers, (layer) => (isChatAnswer(layer) ? undefined : idText(field(layer, ...OTHER_IDS))))
  );
}

/** The task id under a field name that only task ids have. */
export const explicitTaskId = (body: Json | undefined): string | undefined =>
  firstOf(layersOf(body), (layer) => idText(field(layer, ...TASK_FIELDS)));

/** The address in the answer to poll. */
export function pollUrlOf(body: Json): string | undefined {
  return firstOf([...layersOf(body), ...nestedObjects(body)], (layer) => {
    const links = field(layer, 'links') ?? field(layer, 'urls');
    const self = field(links, 'self', 'get', 'status');
    return textOf(field(layer, ...POLL_FIELDS)) ?? (isObject(self) ? textOf(field(self, 'href')) : textOf(self));
  });
}

/** The address of a finished task's result. */
export function resultUrlOf(body: Json): string | undefined {
  return firstOf(layersOf(body), (layer) => textOf(field(layer, 'responseUrl', 'resultUrl', 'contentUrl')));
}

/** A value that is only an id: a number, or a text that looks like an id and is no status word. */
export function plainId(value: Json | undefined): string | undefined {
  const text = typeof unwrapText(value) === 'object' ? undefined : textOf(value);
  if (text === undefined || !/^[\w.:-][\w.:=+~|/-]{0,199}$/.test(text) || isFile(text)) return undefined;
  if (/^\d+$/.test(text)) return /^0*$/.test(text) ? undefined : text;
  if (mediaBytes(text, 'image') ?? mediaBytes(text, 'video')) return undefined;
  const looksLikeOne = text.length >= 3 && (/[\d_:-]/.test(text) || text.length >= 16);
  return looksLikeOne && stateOfWord(text) === undefined ? text : undefined;
}

const isFile = (text: string): boolean => text.includes('://') || /\.[a-z][a-z0-9]{2,3}$/i.test(text);

const hasStateWord = (layer: JsonObject): boolean =>
  !isChatAnswer(layer) && typeof field(layer, 'status', 'state') === 'string';

function idText(value: Json | undefined): string | undefined {
  const text = textOf(Array.isArray(value) && value.length === 1 ? value[0] : value);
  return text !== undefined && text.length <= 500 && !/\s/.test(text) && text !== '0' ? text : undefined;
}

/** `operations/…`, or a longer name that ends with it. */
function operationName(layer: JsonObject): string | undefined {
  for (const name of ['name', 'operation']) {
    const text = idText(field(layer, name));
    if (text !== undefined && (name === 'operation' || /(^|\/)operations\//.test(text))) return text;
  }
  return undefined;
}

/** The operation in the message of a chat answer: `message: { operation: { name } }`. */
function nestedTask(layer: JsonObject): string | undefined {
  const held = field(layer, 'operation', 'task', 'job');
  return isObject(held) ? idText(field(held, 'name', 'id')) : operationName(layer);
}

/** A chat answer's own id identifies the answer, not a task. */
function isChatAnswer(layer: JsonObject): boolean {
  return Array.isArray(field(layer, 'choices')) || /^chat\.completion/.test(textOf(field(layer, 'object')) ?? '');
}

/** Whether the answer is about this task: it has its id, or the last part of its name. */
export function mentionsTask(body: Json, id: string): boolean {
  const own = taskIdOf(body);
  if (own !== undefined && (own === id || id.endsWith(`/${own}`) || own.endsWith(`/${id}`))) return true;
  return nestedObjects(body).some((layer) => Object.values(layer).some((value) => textOf(value) === id));
}

/** Whether an answer at a task's own place has anything that describes one. */
export const hasFieldsOfTask = (body: Json | undefined): boolean =>
  layersOf(body).some((layer) =>
    Object.keys(layer).some((name) => /progress|status|state|jobid|taskid|prompt/i.test(name.replace(/_/g, ''))),
  );

/** The entry of this task, if an answer lists several. Several entries with its id and without a state are its results. */
export function entryOf(body: Json, id: string): Json {
  const generations = generationsOf(body, id);
  if (generations) return generations;
  for (const list of [body, ...layersOf(body).flatMap((layer) => Object.values(layer))]) {
    if (!Array.isArray(list) || list.length < 2) continue;
    const own = list.filter(isObject).filter((one) => idText(field(one, ...TASK_FIELDS, 'id', 'name')) === id);
    const entry = own.length === 1 ? own[0] : own.find(hasStateWord);
    if (entry !== undefined) return entry;
  }
  return body;
}

/**
 * The generations of one task as a set of jobs: each has its own state, file and cost, and failed ones are in `errors` beside them
 * (runware.ai/docs: getResponse).
 */
function generationsOf(body: Json, id: string): JsonObject | undefined {
  const jobs = listOf(field(body, 'data'))
    .filter(isObject)
    .filter(
      (one) => textOf(field(one, 'taskUuid')) === id && field(one, 'taskType') !== undefined && hasStateWord(one),
    );
  const errors = listOf(field(body, 'errors'));
  if (jobs.length === 0 || (jobs.length === 1 && errors.length === 0)) return undefined;
  // If every job failed, the reason is in the errors.
  if (errors.length > 0 && jobs.every(isFailure)) return isObject(body) ? body : undefined;
  const costs = jobs.map((job) => Number(textOf(field(job, 'cost')) ?? Number.NaN));
  const cost = Number(costs.reduce((sum, one) => sum + one, 0).toFixed(9));
  return { taskUUID: id, jobs, ...(Number.isFinite(cost) ? { cost } : {}) };
}

/** The image task in the body of a webhook. It only says which task to poll; the answer to that poll is what counts. */
export function taskFromWebhook(body: string, request: { prompt: string; at: number }): RemoteTask | undefined {
  const json = parseJson(body.replace(/^\uFEFF/, '').trim());
  const id = isObject(json) || Array.isArray(json) ? taskIdOf(json) : undefined;
  const ownUris = echoOf([request.prompt]).addresses;
  return id === undefined
    ? undefined
    : { id, kind: 'image', acceptedAt: request.at, ...(ownUris.length > 0 ? { ownUris } : {}) };
}
