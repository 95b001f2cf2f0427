import { isPlainlyMedia } from '../../addresses/index.ts';
import { errorOnlyBody, submitError, unreadableError } from '../../errors/index.ts';
import type { Answer } from '../../exchange/index.ts';
import { field, type Json, listOf } from '../../json/index.ts';
import { refused } from '../../outcomes/index.ts';
import {
  explicitTaskId,
  type Medium,
  type ParsedAnswer,
  type SubmitAnswer,
  type TaskPollOutcome,
  WITHOUT_FILE,
  withoutFile,
} from '../../tasks/index.ts';
import type { SubmitOutcome } from '../../types.ts';
import { parseImage } from './parsedImage.ts';

export const imageMedium: Medium = {
  kind: 'image',
  noun: 'task',
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
  // What is still to be waited for is at a place of the future.
  const isAwaited = field(json, 'eta', 'queuePosition', 'estimatedTime') !== undefined;
  return isAlone || (hasListOfPictures(json) && !isAwaited);
}

/** `data: [{ url }]` (OpenAI, Together, Ace Data) or `images: [{ image_url }]` (Novita); a preview stands in a field of its own. */
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

/** The word "success" may be the wrapper's: then the task goes on, as far as it tells. */
function succeededWithoutPicture({ progress, taskStatus }: ParsedAnswer): TaskPollOutcome {
  if (progress !== undefined) return progress >= 100 ? withoutFile : { type: 'running', progress };
  return taskStatus.mayBeOfCall ? { type: 'running', said: WITHOUT_FILE } : withoutFile;
}

function ending({ service, answer, id }: SubmitAnswer<ParsedAnswer>): SubmitOutcome | undefined {
  if (id !== undefined) return undefined;
  const errorOnly = errorOnlyBody(answer.json);
  return refused(errorOnly ? submitError(service, answer, errorOnly) : unreadableError(service, answer));
}
