import { incompleteReason } from '../../../../../shared/chat/finish.ts';
import { taskIdIn } from '../../addresses/links.ts';
import { type AddressContext, findAnyUrls, isPlainlyMedia, pictureAddress } from '../../addresses/mediaAddress.ts';
import { finishOf, partsOf } from '../../chat/chunk.ts';
import { blockedPrompt } from '../../chat/vendorShapes.ts';
import { errorKindOf, errorOnlyBody } from '../../errors/classify.ts';
import { submitError, unreadableError } from '../../errors/gatewayError.ts';
import { explicitError, nestedError, serviceErrorOf } from '../../errors/serviceError.ts';
import type { Answer } from '../../exchange/answer.ts';
import { field, firstOf, isObject, layersOf, listOf, textOf } from '../../json/fields.ts';
import type { Json, JsonObject } from '../../json/parse.ts';
import { refused } from '../../outcomes/outcome.ts';
import {
  type Medium,
  type ParsedAnswer,
  type Refusal,
  type SubmitAnswer,
  type TaskPollOutcome,
  WITHOUT_FILE,
  withoutFile,
} from '../../tasks/parsedAnswer.ts';
import { progressOf, type TaskStatus, taskStatusOf } from '../../tasks/status.ts';
import { explicitTaskId, plainId, pollUrlOf, taskIdOf } from '../../tasks/taskId.ts';
import type { RemoteOutput, SubmitOutcome } from '../../types.ts';
import { imagesIn } from './imageOutputs.ts';

/** Why one of Google's models gave no picture. The answer has a good status and no error. */
export const withheldBy = (body: Json): Refusal | undefined =>
  firstOf(layersOf(body), (layer) => filteredPictures(layer) ?? promptOf(layer) ?? candidateWithoutPicture(layer));

/** Imagen gives the reason in place of each picture, and does not charge for a filtered one (cloud.google.com: Imagen, responsible AI). */
function filteredPictures(layer: JsonObject): Refusal | undefined {
  const reasons = listOf(field(layer, 'predictions', 'generatedImages')).flatMap(
    (entry) => textOf(field(entry, 'raiFilteredReason')) ?? [],
  );
  if (reasons.length === 0) return undefined;
  const message = [...new Set(reasons)].join(' ');
  return { kind: 'moderation', serviceError: { message, codes: ['content_filter'] } };
}

function promptOf(layer: JsonObject): Refusal | undefined {
  const serviceError = blockedPrompt(layer);
  return serviceError && { kind: 'moderation', serviceError };
}

/** Gemini states why its candidate ended, and describes in text what it refused to draw (ai.google.dev/api/generate-content: Candidate). */
function candidateWithoutPicture(layer: JsonObject): Refusal | undefined {
  const [first] = listOf(field(layer, 'candidates'));
  const finish = finishOf(field(first, 'finishReason'));
  if (finish === undefined) return undefined;
  const said = partsOf(field(field(first, 'content'), 'parts')).text.trim();
  const message = textOf(field(first, 'finishMessage')) ?? said;
  const hasStopped = /^stop$/i.test(finish);
  if (hasStopped && message === '') return undefined;
  const serviceError = { message, codes: hasStopped ? [] : [finish] };
  return {
    kind: incompleteReason(finish) === 'filter' ? 'moderation' : errorKindOf(serviceError, 0),
    serviceError,
    acceptance: 'open',
  };
}

export function parseImage(body: Json, context: AddressContext): ParsedAnswer {
  const taskStatus = taskStatusOf(body);
  const id = plainId(body) ?? (typeof body === 'string' ? taskIdIn(body) : taskIdOf(body));
  const outputs = outputsIn(body, taskStatus, context);
  const byCode = refusalByCode(body);
  const serviceError = byCode?.serviceError ?? explicitError(body) ?? nestedError(body);
  const isToldOtherwise = outputs.length > 0 || serviceError !== undefined || acceptedByCode(body);
  const refusal = byCode ?? (isToldOtherwise ? undefined : withheldBy(body));
  return {
    taskStatus,
    outputs,
    id,
    pollUrl: pollUrlOf(body),
    progress: progressOf(body),
    serviceError: acceptedByCode(body) ? undefined : (serviceError ?? refusal?.serviceError),
    refusal,
  };
}

function outputsIn(body: Json, taskStatus: TaskStatus, context: AddressContext): RemoteOutput[] {
  const found = imagesIn(body, context);
  if (found.length > 0 || taskStatus.state !== 'succeeded') return found;
  const urls = findAnyUrls(body, new Set(['video', 'mask', 'base']), (text) => {
    const uri = pictureAddress(text, context);
    return uri !== undefined && isPlainlyMedia(uri) ? uri : undefined;
  });
  return urls.map((uri) => ({ uri, role: 'output' }));
}

/** `{ code, description, result }`: codes of Midjourney proxies for an accepted request: accepted, already known, queued. */
const ACCEPTED_CODES = new Set([1, 21, 22]);
/** Their codes for a refused request. */
const REFUSED_CODES = new Set([3, 4, 9, 23, 24, 30]);
/** Codes that no other family uses. */
const UNIQUE_CODES = new Set([23, 24, 30]);

function codeOf(body: Json): number | undefined {
  const code = textOf(field(body, 'code'));
  return code !== undefined && /^\d{1,2}$/.test(code) ? Number(code) : undefined;
}

function acceptedByCode(body: Json): boolean {
  return ACCEPTED_CODES.has(codeOf(body) ?? -1);
}

/** The refusal that a code of this family means; its numeric code gets the family's name. */
function refusalByCode(body: Json): Refusal | undefined {
  const code = codeOf(body);
  const isOfFamily = field(body, 'description') !== undefined || (isObject(body) && 'result' in body);
  if (code === undefined || !(isOfFamily || UNIQUE_CODES.has(code))) return undefined;
  const error = serviceErrorOf(body);
  const serviceError = { ...error, numericCodes: [`midjourney.code=${code}`, ...(error.numericCodes ?? [])] };
  return REFUSED_CODES.has(code) ? { kind: errorKindOf(serviceError, 0), serviceError } : undefined;
}

export const imageMedium: Medium = {
  kind: 'image',
  failureCosts: 'unknown',
  parse: parseImage,
  isResult,
  isPolledResult,
  errorEndsTask: false,
  withoutFile: succeededWithoutPicture,
  ending,
};

/**
 * Whether a picture in the answer to a submit is the result: the service says so by its state or its progress, or there is nothing to
 * poll. Without a state, a progress or a poll address a list of pictures counts too, and plain files that stand beside no task.
 */
function isResult({ taskStatus, id, pollUrl, progress, outputs }: ParsedAnswer, { json }: Answer): boolean {
  if (taskStatus.state !== undefined) return taskStatus.state === 'succeeded';
  if (id === undefined) return true;
  if (taskStatus.hasStatusField || pollUrl !== undefined) return false;
  if (progress !== undefined) return progress >= 100;
  const isAlone = explicitTaskId(json) === undefined && outputs.every(({ uri }) => isPlainlyMedia(uri));
  // While the task is waiting, the address names a place where the picture will be later.
  const isAwaited = field(json, 'eta', 'queuePosition', 'estimatedTime') !== undefined;
  return isAlone || (hasListOfPictures(json) && !isAwaited);
}

/** `data: [{ url }]` (OpenAI, Together, Ace Data) or `images: [{ image_url }]` (Novita). A preview has a field of its own. */
const hasListOfPictures = (body: Json | undefined): boolean =>
  ['data', 'images'].some((name) => {
    const list = listOf(field(body, name));
    return list.length > 0 && list.every(isPicture);
  });

const isPicture = (entry: Json): boolean =>
  explicitTaskId(entry) === undefined && field(entry, 'url', 'imageUrl', 'b64Json') !== undefined;

/** A picture beside any state but success is a preview; without a state or a progress it is the result. */
function isPolledResult({ taskStatus, progress }: ParsedAnswer): boolean {
  if (taskStatus.state === 'succeeded') return progress === undefined || progress >= 100 || !taskStatus.mayBeOfCall;
  return progress === undefined ? taskStatus.word === undefined : progress >= 100;
}

/** The word "success" may be about the call only. Then the task counts as running. */
function succeededWithoutPicture({ progress, taskStatus }: ParsedAnswer): TaskPollOutcome {
  if (progress !== undefined) return progress >= 100 ? withoutFile : { type: 'running', progress };
  return taskStatus.mayBeOfCall ? { type: 'running', said: WITHOUT_FILE } : withoutFile;
}

function ending({ service, answer, id }: SubmitAnswer): SubmitOutcome | undefined {
  if (id !== undefined) return undefined;
  const errorOnly = errorOnlyBody(answer.json);
  return refused(errorOnly ? submitError(service, answer, errorOnly) : unreadableError(service, answer));
}
