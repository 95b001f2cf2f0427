/** Video and image tasks: submitting, polling, and parsing their answers in any form. */

export { pollTask, submitTask } from './customTask.ts';
export { imageMedium } from './image/imageMedium.ts';
export { pollImage } from './image/pollImage.ts';
export { submitEditTask, submitImagineTask } from './image/submitImage.ts';
export { repeatRequest } from './repeat.ts';
export { type Sent, submitOutcome } from './submitOnce.ts';
export { failureReasonOf, isNotReady, isTaskAway, saysNotReady } from './taskErrors.ts';
export { taskFromWebhook } from './taskId.ts';
export { parseVideo } from './video/parsedVideo.ts';
export { pollVideo } from './video/pollVideo.ts';
export { readVideoForm, sendVideo, unreadablePicture } from './video/sendVideo.ts';
export {
  camelFields,
  isDialectTaken,
  isOwnDialect,
  learnDialect,
  requestedDialect,
  snakeFields,
  spellingOf,
  videoDialect,
} from './video/videoDialect.ts';
