import type { ErrorCode, Result } from '../../shared/contract/result.ts';
import { call, callLeaving, mediaUrl, onEvent, onLink, uploadMedia, writeFilm } from '../client/index.ts';
import { type DoFilm, type FilmStudio, filmLoop } from './film/films.ts';
import { type DoTask, mediaLoop, Unstored } from './loop.ts';

/** What an upload is refused with for what it finds, and not for what it holds. */
const NOT_NOW: readonly ErrorCode[] = ['disk_full', 'store_unavailable', 'unreachable', 'internal'];

function dataOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

export async function bytesOf(assetId: string): Promise<Blob> {
  // What is made of a file is made of its bytes of now: it may have been damaged when the browser kept it.
  const response = await fetch(mediaUrl(assetId), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`The file is not served (status ${response.status}).`);
  return response.blob();
}

const filmStudio: FilmStudio = {
  claim: async () => {
    const claimed = await call('media.claimFilm');
    return claimed.ok ? claimed.data.task : undefined;
  },
  bytes: bytesOf,
  write: async (taskId, at, bytes) => void dataOf(await writeFilm(taskId, at, bytes)),
  beat: async (taskId, progress) => void dataOf(await call('media.beat', { taskId, progress })),
  finish: async (taskId, outcome) => void (await call('media.finishFilm', { taskId, ...outcome })),
};

/** Takes media work from the studio for as long as there is some, now and later; the returned function ends that. */
export function doMediaWork(
  doTask: DoTask,
  doFilm: DoFilm,
  softwareSpeed: () => Promise<number | undefined>,
): () => void {
  const stopping = new AbortController();
  const films = filmLoop(filmStudio, doFilm, stopping.signal);
  const loop = mediaLoop(
    {
      claim: async () => {
        const claimed = await call('media.claim');
        return claimed.ok ? claimed.data.task : undefined;
      },
      bytes: bytesOf,
      upload: async (picture, name, taskId) => {
        const stored = await uploadMedia(picture, name, { task: taskId });
        if (!stored.ok && NOT_NOW.includes(stored.error.code)) throw new Unstored(stored.error.message);
        dataOf(stored);
      },
      finish: async (taskId, outcome) => {
        await call('media.finish', { taskId, ...outcome });
      },
    },
    doTask,
  );
  const wake = () => {
    void loop.wake();
    void films.wake();
  };
  const stopEvents = onEvent((event) => {
    if (event.type === 'media.work') wake();
  });
  // Work that came while the studio was away is announced by no event.
  const stopLink = onLink((state) => {
    if (state === 'up') wake();
  });
  // How slow a film will be is told before the first one.
  void softwareSpeed()
    .then(async (pixelsPerSecond) => {
      if (pixelsPerSecond !== undefined) await call('media.encoderSpeed', { pixelsPerSecond });
    })
    .catch(() => undefined);
  const giveBack = (...taskIds: (string | undefined)[]) => {
    const claimed = taskIds.filter((id) => id !== undefined);
    if (claimed.length > 0) callLeaving('media.release', { taskIds: claimed });
  };
  // A reload takes what was half made with it: the next page need not wait until this one is silent for too long.
  const leave = () => giveBack(loop.atHand, films.atHand);
  window.addEventListener('pagehide', leave);
  wake();
  return () => {
    window.removeEventListener('pagehide', leave);
    giveBack(films.atHand);
    loop.stop();
    films.stop();
    stopping.abort();
    stopEvents();
    stopLink();
  };
}
