/** Video and image tasks: submitting, polling, and parsing their answers in any form. */

export { pollTask, submitTask } from './customTask.ts';
export { pollImage } from './image/pollImage.ts';
export { submitEdit, submitImagine } from './image/submitImage.ts';
export { repeatRequest } from './repeat.ts';
export { failureReasonOf, isNotReady, saysNotReady } from './taskErrors.ts';
export { taskFromWebhook } from './taskId.ts';
export { parseVideo } from './video/parsedVideo.ts';
export { pollVideo } from './video/pollVideo.ts';
export { submitVideo } from './video/submitVideo.ts';
export {
  camelFields,
  isDialectTaken,
  isOwnDialect,
  learnDialect,
  snakeFields,
  videoDialect,
} from './video/videoDialect.ts';
