import type { DoTask } from './loop.ts';
import { measureMedia } from './measure/measure.ts';
import { makePicture } from './pictures.ts';

/** Does a media task; throws one sentence if the file cannot be read. */
export const doTask: DoTask = async (task, bytes) =>
  task.kind === 'measure' ? { measures: await measureMedia(bytes) } : { picture: await makePicture(task, bytes) };
