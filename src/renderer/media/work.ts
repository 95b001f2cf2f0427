import type { Result } from '../../shared/result.ts';
import { call, mediaUrl, onEvent, onLink, uploadMedia } from '../client/index.ts';
import { type DoTask, MediaLoop } from './loop.ts';

function dataOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

/** Takes media work from the studio for as long as there is some, now and later; the returned function ends that. */
export function doMediaWork(doTask: DoTask): () => void {
  const loop = new MediaLoop(
    {
      claim: async () => {
        const claimed = await call('media.claim');
        return claimed.ok ? claimed.data.task : undefined;
      },
      bytes: async (id) => {
        const response = await fetch(mediaUrl(id));
        if (!response.ok) throw new Error(`The file is not served (status ${response.status}).`);
        return response.blob();
      },
      upload: async (picture, name, taskId) => {
        dataOf(await uploadMedia(picture, name, { task: taskId }));
      },
      finish: async (taskId, outcome) => {
        await call('media.finish', { taskId, ...outcome });
      },
    },
    doTask,
  );
  const stopEvents = onEvent((event) => {
    if (event.type === 'media.work') void loop.wake();
  });
  // Work that came while the studio was away is announced by no event.
  const stopLink = onLink((state) => {
    if (state === 'up') void loop.wake();
  });
  void loop.wake();
  return () => {
    loop.stop();
    stopEvents();
    stopLink();
  };
}
