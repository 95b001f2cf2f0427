import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { nestedObjects } from '../addresses/mediaAddress.ts';
import { blamesService, errorKindOf } from '../errors/classify.ts';
import { codeRulesIn } from '../errors/rules/codes.ts';
import { normalizeText, wordsInNames } from '../errors/rules/sentences.ts';
import { meansOk, type ServiceError, serviceErrorOf } from '../errors/serviceError.ts';
import type { Answer } from '../exchange/answer.ts';
import { field, layersOf, textOf } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';
import type { FilterNote } from '../types.ts';
import { isFailure, type TaskStatus } from './status.ts';

/** The service does not know the task. These are for sentences as `wordsInNames` and `normalizeText` give them. */
const UNKNOWN_TASK =
  /\b(not be|cannot be|not) found\b|\bnotfound\b|\b(not|doesnot) exist|\bdoesn t exist\b|\bno such\b|\bunknown (task|job|(operation|video|id)\b)|\bno (task|job|record)|\b(invalid|bad) ((task|job|operation|video) )?id\b|\binvalid (task|job)id\b|不存在|未找到/;

/** The result is not there yet. */
const NOT_READY =
  /\bnot (yet )?((ready|done|generated)\b|complete|finish)|\b(is|still|currently) (in (the )?)?((progress|running|pending|queue)\b|process|queue|generat)|\bstill (being|render|upload)|\bbeing (generat|process|render|prepared\b|upload|queue)|生成中|处理中|未完成/;

/** Words for the work itself. An error with such a word is not about the poll. */
const GENERATION = /\b(generation|generating|generate|inference|diffusion)\b|\brender|生成/;

/** Whether the service does not know the task. Right after a submit this may still change. */
export function isUnknownId(serviceError: ServiceError): boolean {
  return serviceError.httpStatus === 404 || says(serviceError, UNKNOWN_TASK);
}

/**
 * Whether the content route of a finished task does not have its clip yet: new-api says "Task is not completed yet" or "Task not found"
 * while it stores it (wire-families A).
 */
export const isTaskAway = ({ status, json }: Pick<Answer, 'status' | 'json'>): boolean =>
  (status === 400 || status === 404) && /^task (not found|is not completed)/i.test(serviceErrorOf(json ?? '').message);

/** Whether an answer with a good status is a text that is neither data nor about an unknown task: it says nothing about the task. */
export function isUnreadable(answer: Answer): boolean {
  if (answer.form !== 'text' || answer.status >= 300 || /^(null|none|undefined)$/i.test(answer.text)) return false;
  return !isUnknownId({ message: answer.text, codes: [] });
}

/**
 * Whether the error says that the task itself is unknown. The error of a failed task may be about something else that is missing, such as
 * an image.
 */
export function isUnknownTask(serviceError: ServiceError): boolean {
  const names = [serviceError.message, ...serviceError.codes].map(wordsInNames).join();
  return isUnknownId(serviceError) && / (task|job|operation|record|id)(s| ?id)? |任务/.test(names);
}

/**
 * Whether the error refuses the task's content. A poll has no content, so such an answer is about the task: an exact code proves it at
 * any path, text only at the task's own path.
 */
export function isAboutContent(serviceError: ServiceError, kind: ErrorKind, status: number, sure: boolean): boolean {
  const isNoSuccess = status >= 300 && !REFUSES_CONTENT.has(status);
  if (kind !== 'moderation' || isNoSuccess) return false;
  return sure || codeRulesIn(serviceError, status).some((row) => row.kind === 'moderation');
}

const REFUSES_CONTENT: ReadonlySet<number> = new Set([400, 422]);

/** Whether the error only means "not yet". */
export const isNotReady = ({ message, codes }: ServiceError): boolean =>
  [message, ...codes].map(wordsInNames).some(saysWaiting);

/** Whether an answer of any form says so; the names of its fields do not count. */
export const saysNotReady = (text: string): boolean => saysWaiting(normalizeText(text));

/** A failure "while being generated" is not a reason to wait. */
const saysWaiting = (sentence: string): boolean => NOT_READY.test(sentence.replace(/ (was|were|while) being /g, ' '));

/** Whether the error is about the generation, not about the poll. */
export const isAboutGeneration = (serviceError: ServiceError): boolean => says(serviceError, GENERATION);

/** Whether the error holds such words, in its message or in a code. */
const says = ({ message, codes }: ServiceError, words: RegExp): boolean =>
  [message, ...codes].map(wordsInNames).some((sentence) => words.test(sentence));

/** Whether an answer with this status may decide about the task; others are about the key, the account, the rate or the service. */
export const mayDecide = (status: number): boolean =>
  status < 300 || (status >= 400 && status < 500 && !OF_THE_POLL.has(status));

const OF_THE_POLL: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 425, 429]);

/**
 * Whether the failure may be about the poll, although the answer names the task: a service may repeat the id in any error. This requires
 * that the state says no more than "error", that nothing else describes a task, and that a poll can have this error.
 */
export function mayBeOfPoll(body: Json | undefined, taskStatus: TaskStatus, serviceError: ServiceError): boolean {
  const { state, word, mayBeOfCall } = taskStatus;
  if (state === 'failed' && (!mayBeOfCall || /^time/i.test(word ?? ''))) return false;
  if (layersOf(body).some((layer) => field(layer, ...FIELDS_OF_A_TASK) !== undefined)) return false;
  if (isUnknownTask(serviceError)) return true;
  return mayBeErrorOfPoll(word, serviceError);
}

function mayBeErrorOfPoll(word: string | undefined, serviceError: ServiceError): boolean {
  const kind = errorKindOf(serviceError, serviceError.httpStatus ?? 0);
  if (kind === 'auth' || kind === 'rate_limit') return true;
  if ((kind !== 'timeout' && kind !== 'server') || isAboutGeneration(serviceError)) return false;
  if (kind === 'server' && blamesService(serviceError)) return true;
  // A separate code, or a state without any other cause, is about the work.
  const { codes, label } = serviceError;
  const hasOwnCode = codes.some((code) => code !== word && code !== label && !/^errors?$/i.test(code));
  return !hasOwnCode && (kind === 'timeout' || word === undefined);
}

/** Fields that describe a task or the reason of its failure; the error of a poll has none of them. */
const FIELDS_OF_A_TASK = (
  'progress prompt createdAt createTime submitTime startTime startedAt finishTime completedAt failReason ' +
  'failMsg failCode failure failureReason failureCode'
).split(' ');

/**
 * Whether the task was canceled, as a state of its own or as a failure. A cancellation by moderation does not count, because the user did
 * not cancel.
 */
export function isCanceled(word: string | undefined, serviceError: ServiceError, kind: ErrorKind): boolean {
  const [first] = statusWordsOf(word ?? '').filter((part) => !ABOUT.has(part));
  if (first?.startsWith('cancel')) return true;
  return kind !== 'moderation' && (lowerText(serviceError).includes('取消') || saysCanceled(lowerText(serviceError)));
}

const ABOUT = new Set('the task job operation video state status request generation was is has been'.split(' '));
const statusWordsOf = (text: string): string[] =>
  text
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z]/)
    .filter((part) => part !== '');

/** "The task was cancelled", without other words before it. */
function saysCanceled(text: string): boolean {
  const [first] = statusWordsOf(text).filter((part) => !ABOUT.has(part));
  return first === 'canceled' || first === 'cancelled';
}

const lowerText = (serviceError: ServiceError): string =>
  [serviceError.message, ...serviceError.codes].join(' ').toLowerCase();

/**
 * Why a task failed: the answer's error, otherwise that of its result object, otherwise that of a failed object further in, otherwise the
 * plain failure code.
 */
export function failureReasonOf(body: Json | undefined): ServiceError {
  const outer = serviceErrorOf(body);
  if (outer.message !== '') return outer;
  const inner = layersOf(body)
    .map((layer) => serviceErrorOf(layer))
    .concat(
      nestedObjects(body ?? null)
        .filter(isFailure)
        .map((layer) => serviceErrorOf(layer)),
    )
    .find(({ message }) => message !== '');
  return inner ? { ...inner, codes: [...inner.codes, ...outer.codes] } : { ...outer, message: codeOf(body) };
}

/** The service's state says that the result is no longer there; it may have been made, and charged. */
export const isDeleted = ({ word }: TaskStatus): boolean => /^deleted$/i.test(word ?? '');

const CODE_FIELDS = ['failureCode', 'failCode', 'errorCode', 'errCode'];
/** A code of letters; a number means nothing to a reader. */
const IN_WORDS = /^[a-z][a-z_.-]{3,79}$/i;

function codeOf(body: Json | undefined): string {
  const codes = layersOf(body).map((layer) => textOf(field(layer, ...CODE_FIELDS)) ?? '');
  return codes.find((code) => IN_WORDS.test(code) && !meansOk(code)) ?? '';
}

export function filteredError(note: FilterNote): ServiceError {
  const reasons = note.reasons.join(' ');
  return { message: reasons === '' ? t`The gateway filtered the result.` : reasons, codes: [] };
}

interface EndedTask {
  canceled: boolean;
  kind: ErrorKind;
}

/** The message for a failure of which the service sends only a status word. */
export function messageWithoutReason(word: string | undefined, { canceled, kind }: EndedTask): string {
  if (canceled) return t`The gateway canceled the job without a reason.`;
  if (kind === 'moderation') return t`The gateway’s moderation stopped the job without a reason.`;
  if (word === undefined || SAYS_NO_MORE.test(word)) return t`The job failed at the gateway without a reason.`;
  const status = word.slice(0, MAX_WORD_LENGTH);
  return t`The job failed at the gateway without a reason (${status}).`;
}

const SAYS_NO_MORE = /fail|^error$/i;

const MAX_WORD_LENGTH = 60;
