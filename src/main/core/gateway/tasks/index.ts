/**
 * One protocol for all tasks: a submit, its id, polls, the addresses of results. A family says how it asks, and a `Medium` what is different
 * about its answers; those about clips are read alike in every format.
 */

export type {
  Medium,
  ParsedAnswer,
  Refusal,
  SubmitAnswer,
  TaskPollOutcome,
} from './parsedAnswer.ts';
export { saidOf, WITHOUT_FILE, withoutFile } from './parsedAnswer.ts';
export { OF_THE_TASK, readPoll, withCost } from './readPoll.ts';
export { hasFailedFinish, progressOf, type TaskStatus, taskStatusOf } from './status.ts';
export { pollTask, type Sent, submitOnce, submitOutcome, submitTask } from './submitOnce.ts';
export { failureReasonOf, isNotReady, isTaskAway, isUnknownTask, saysNotReady } from './taskErrors.ts';
export { explicitTaskId, mentionsTask, plainId, pollUrlOf, taskFromWebhook, taskIdOf } from './taskId.ts';
export { parseVideo, readVideoForm, repeatVideo, sendVideo, unreadablePicture } from './video/parsedVideo.ts';
export { pollVideo } from './video/pollVideo.ts';
