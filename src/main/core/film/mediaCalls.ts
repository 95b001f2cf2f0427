import type { HandlersOf } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/contract/result.ts';
import type { Library } from '../library/index.ts';
import type { MovieTasks } from './movieTasks.ts';

/** Calls of the media page, which encodes films and examines files of the library. */
export const mediaCalls = (
  movies: MovieTasks,
  library: Pick<Library, 'mediaWork' | 'measures'>,
): HandlersOf<'media'> => ({
  'media.claimFilm': async () => ok({ task: await movies.claim() }),
  'media.beat': ({ taskId, progress }) => movies.beat(taskId, progress),
  'media.finishFilm': ({ taskId, report, error }) => movies.finish(taskId, report, error),
  'media.encoderSpeed': ({ pixelsPerSecond }) => {
    movies.encoderSpeed = pixelsPerSecond;
    return ok(null);
  },
  'media.release': ({ taskIds, died = false }) => {
    for (const id of taskIds) {
      movies.release(id, died);
      library.mediaWork.release(id, died);
    }
    return ok(null);
  },
  'media.claim': () => ok({ task: library.mediaWork.claim() }),
  'media.measures': ({ sha256s }) => ok({ files: library.measures(sha256s) }),
  'media.finish': ({ taskId, ...outcome }) => library.mediaWork.finish(taskId, outcome),
});
