import { t } from '../../../../../shared/text/texts.ts';
import { failureIn, linksIn } from '../../addresses/index.ts';
import { bodyError, errorKindOf, errorOnlyBody, gatewayError, submitError } from '../../errors/index.ts';
import { field, textOf } from '../../json/index.ts';
import { refused } from '../../outcomes/index.ts';
import type { SubmitOutcome } from '../../types.ts';
import type { Medium, SubmitAnswer } from '../parsedAnswer.ts';
import { contentOutput, doneOutcome, lostAnswerOutcome } from '../taskOutcomes.ts';
import { type ParsedVideo, parseVideo } from './parsedVideo.ts';

export const videoMedium: Medium<ParsedVideo> = {
  kind: 'video',
  noun: 'video',
  failureCosts: 'no',
  parse: parseVideo,
  isResult: ({ taskStatus }) => taskStatus.state !== 'running',
  isPolledResult: () => true,
  errorEndsTask: true,
  withoutFile: ({ taskStatus }) => (taskStatus.mayBeOfCall ? undefined : { type: 'finished' }),
  ending,
};

type Submitted = SubmitAnswer<ParsedVideo>;

function ending(submitted: Submitted): SubmitOutcome | undefined {
  const { service, answer, parsed, id, requestId } = submitted;
  const { state, word, hasStatusField } = parsed.taskStatus;
  const hasSucceeded = state === 'succeeded';
  // A finished clip object without an address: its bytes are at the content endpoint.
  if (id !== undefined && hasSucceeded && textOf(field(answer.json, 'object')) === 'video')
    return doneOutcome([contentOutput(service, id, answer.json)], { remoteId: id, requestId });
  const failure = hasStatusField ? undefined : failureIn(parsed.text);
  if (failure !== undefined) {
    // A log for people that ends in a failure: whether it is billed is unknown.
    const error = bodyError(service, answer, { message: failure, codes: [] }, 'yes');
    return { type: 'refused', error: { ...error, retryable: false }, billed: 'unknown' };
  }
  // `done: true` without a result: polling again would not change it.
  const isEmptyOperation = hasSucceeded && word === undefined && answer.form === 'json';
  if (id !== undefined && !isEmptyOperation) return undefined;
  if (!isPictureInPlace(submitted)) return withoutResult(submitted);
  const names =
    id === undefined && parsed.answerId !== undefined
      ? { remoteId: parsed.answerId, ofAnswer: true as const }
      : { remoteId: id };
  return doneOutcome(parsed.pictures, { ...names, requestId });
}

/** Whether an answer that is whole and names no task has a picture in place of the clip: an animated one, or one that was made instead. */
function isPictureInPlace({ answer, parsed }: Submitted): boolean {
  const { pictures, taskStatus, text, answerId, finishReason } = parsed;
  if (pictures.length === 0 || answer.truncatedBy || errorOnlyBody(answer.json)) return false;
  if (taskStatus.state === 'succeeded') return !taskStatus.mayBeOfCall;
  const isChatAnswer = answerId !== undefined || finishReason !== undefined;
  const isWhole = isChatAnswer ? (finishReason ?? '') !== '' : answer.form === 'json' && !taskStatus.hasStatusField;
  return isWhole && errorKindOf({ message: text, codes: [finishReason ?? ''] }, 0) !== 'moderation';
}

/**
 * An answer with neither a result nor a task. A text that names no address is a final answer; anything else may be an accepted request
 * whose task is lost.
 */
function withoutResult({ service, answer, parsed }: Submitted): SubmitOutcome {
  const errorOnly = errorOnlyBody(answer.json);
  if (errorOnly && !answer.truncatedBy) return refused(submitError(service, answer, errorOnly));
  const isOver = parsed.taskStatus.state === 'succeeded' && !parsed.taskStatus.mayBeOfCall;
  const finished = isOver || (parsed.finishReason !== undefined && parsed.finishReason !== '');
  const isChatAnswer = parsed.answerId !== undefined || parsed.finishReason !== undefined;
  if (answer.truncatedBy || answer.form === 'empty' || (!isChatAnswer && !finished))
    return lostAnswerOutcome(service, answer);
  const kind = errorKindOf({ message: parsed.text, codes: [parsed.finishReason ?? ''] }, 0);
  if (!finished || (linksIn(parsed.text).length > 0 && kind !== 'moderation')) {
    const message = `The answer names no clip: ${parsed.text}`;
    return { type: 'unknown', error: gatewayError(service, { kind: 'server', message, accepted: 'unknown' }) };
  }
  const message = parsed.text === '' ? t`The gateway finished without a clip and without a reason.` : parsed.text;
  const error = gatewayError(service, { kind, message, accepted: 'yes', retryable: false, status: answer.status });
  return { type: 'refused', error, billed: 'unknown' };
}
