import type { ErrorCode, Result } from '../../shared/contract/result.ts';
import { call, callLeaving, mediaUrl, onEvent, onLink, uploadMedia, writeFilm } from '../client/index.ts';
import { type DoFilm, type FilmStudio, filmLoop } from './film/films.ts';
import { type DoTask, mediaLoop, Unstored } from './loop.ts';

/** Upload errors that are not the picture's fault. */
const NOT_NOW: readonly ErrorCode[] = ['disk_full', 'store_unavailable', 'unreachable', 'internal'];

function dataOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

export async function bytesOf(assetId: string): Promise<Blob> {
  // Revalidates the browser's copy, which may be of a damaged file.
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

/** Takes media tasks from the studio until the returned function is called. */
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
  // Tasks that came while disconnected have no event.
  const stopLink = onLink((state) => {
    if (state === 'up') wake();
  });
  // The encoder's speed is reported before the first film.
  void softwareSpeed()
    .then(async (pixelsPerSecond) => {
      if (pixelsPerSecond !== undefined) await call('media.encoderSpeed', { pixelsPerSecond });
    })
    .catch(() => undefined);
  const giveBack = (...taskIds: (string | undefined)[]) => {
    const claimed = taskIds.filter((id) => id !== undefined);
    if (claimed.length > 0) callLeaving('media.release', { taskIds: claimed });
  };
  // A reload loses unfinished work: give it back, so that the next page need not wait for a timeout.
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
