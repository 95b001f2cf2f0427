import type { MediaMeasures } from '../../shared/film/measures.ts';
import type { MediaTask } from '../../shared/library/asset.ts';
import { shortened } from '../../shared/text/shortened.ts';
import { t } from '../../shared/text/texts.ts';
import { ClaimLoop } from './claimLoop.ts';

/** What the loop needs from the studio: the page passes the real client, tests their own. */
export interface MediaStudio {
  /** The next task, for this page alone; null if there is none, undefined if the studio does not answer. */
  claim(): Promise<MediaTask | null | undefined>;
  /** Rejects if they cannot be read now. */
  bytes(assetId: string): Promise<Blob>;
  /** Uploads a task's picture. Rejects with `Unstored` if the picture is not at fault. */
  upload(picture: Blob, name: string, taskId: string): Promise<void>;
  finish(taskId: string, outcome: TaskOutcome): Promise<void>;
}

/** The outcome of a task; without an error and measurements, the picture was uploaded. */
export interface TaskOutcome {
  error?: string;
  /** Why it must be tried again: the file is not at fault. */
  later?: 'unread' | 'unstored';
  measures?: MediaMeasures;
}

/** The result of a task: a picture (a thumbnail, or the last frame of a clip), or measurements. */
export type TaskResult = { picture: Blob } | { measures: MediaMeasures };

/** Does one task. Rejects with `Hung` if it will never answer. */
export type DoTask = (task: MediaTask, bytes: Blob) => Promise<TaskResult>;

/** The worker no longer answers; the studio gives the task to another. */
export class Hung extends Error {}

/** A picture was made but cannot be stored now. */
export class Unstored extends Error {}

/**
 * Does the studio's media tasks one by one: files from the network are decoded here, in a sandboxed page. A file that cannot be decoded
 * fails its own task with a sentence; one that cannot be read or stored now is postponed.
 */
export const mediaLoop = (studio: MediaStudio, doTask: DoTask): ClaimLoop<MediaTask> =>
  new ClaimLoop({
    claim: () => studio.claim(),
    work: async (task) => {
      let outcome: TaskOutcome;
      try {
        outcome = await attempt(task, studio, doTask);
      } catch (error) {
        if (error instanceof Hung) return false;
        outcome = { error: sentenceOf(error) };
      }
      await studio.finish(task.id, outcome);
      return true;
    },
  });

async function attempt(task: MediaTask, studio: MediaStudio, doTask: DoTask): Promise<TaskOutcome> {
  const bytes = await studio.bytes(task.assetId).catch(() => undefined);
  if (!bytes) return { later: 'unread' };
  const result = await doTask(task, bytes);
  if ('measures' in result) return result;
  try {
    await studio.upload(result.picture, nameOf(task, result.picture), task.id);
  } catch (error) {
    if (error instanceof Unstored) return { later: 'unstored' };
    throw error;
  }
  return {};
}

function nameOf({ kind, name, assetId }: MediaTask, picture: Blob): string {
  const stem = shortened(name.replace(/\.[^.]*$/, ''), 100) || assetId;
  return `${stem}-${kind === 'lastFrame' ? 'last-frame' : 'thumbnail'}.${picture.type.replace('image/', '')}`;
}

/** The contract takes at most 1,000 characters. */
function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text || t`The file could not be read.`).slice(0, 1_000);
}
