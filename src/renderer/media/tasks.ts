import type { DoTask } from './loop.ts';
import { measureMedia } from './measure/measure.ts';
import { makePicture } from './pictures.ts';

/** Does what a media task asks for; throws with one sentence where the file cannot be read. */
export const doTask: DoTask = async (task, bytes) =>
  task.kind === 'measure' ? { measures: await measureMedia(bytes) } : { picture: await makePicture(task, bytes) };
