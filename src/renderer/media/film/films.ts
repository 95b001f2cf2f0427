import type { FilmReport, FilmTask } from '../../../shared/film/filmTask.ts';
import { t } from '../../../shared/text/texts.ts';
import { ClaimLoop } from '../claimLoop.ts';
import { Hung } from '../loop.ts';
import type { FilmDesk } from './filmDesk.ts';

/** Makes a film. Rejects with `Hung` if the worker no longer answers, and once it is aborted. */
export type DoFilm = (task: FilmTask, desk: FilmDesk, signal: AbortSignal) => Promise<FilmReport>;

/** What films need from the studio; all calls but `claim` reject once the film is canceled. */
export interface FilmStudio {
  claim(): Promise<FilmTask | null | undefined>;
  bytes(assetId: string): Promise<Blob>;
  write(taskId: string, at: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  beat(taskId: string, progress: number): Promise<void>;
  finish(taskId: string, outcome: { report: FilmReport } | { error: string }): Promise<void>;
}

/** Makes the studio's films one by one, beside the pictures; `signal` leaves the current one to another page. */
export const filmLoop = (studio: FilmStudio, doFilm: DoFilm, signal: AbortSignal): ClaimLoop<FilmTask> =>
  new ClaimLoop({
    claim: () => studio.claim(),
    work: async (task) => {
      const desk: FilmDesk = {
        bytes: (assetId) => studio.bytes(assetId),
        write: (at, bytes) => studio.write(task.id, at, bytes),
        progress: (percent) => studio.beat(task.id, Math.max(0, Math.min(100, percent))),
      };
      try {
        const report = await doFilm(task, desk, signal);
        await studio.finish(task.id, { report });
      } catch (error) {
        if (error instanceof Hung) return false;
        const text = error instanceof Error ? error.message : String(error);
        await studio.finish(task.id, { error: (text || t`The film could not be made.`).slice(0, 1_000) });
      }
      return true;
    },
  });
