import type { MediaMeasures } from '../../shared/film/measures.ts';
import type { MediaTask } from '../../shared/library/asset.ts';
import { shortened } from '../../shared/text/shortened.ts';
import { t } from '../../shared/text/texts.ts';
import { ClaimLoop } from './claimLoop.ts';

/** What the loop needs of the studio; the page gives the real client, a test its own. */
export interface MediaStudio {
  /** The next piece of work, for this page alone; null where there is none, undefined where the studio does not answer. */
  claim(): Promise<MediaTask | null | undefined>;
  /** Rejects where they cannot be read just now. */
  bytes(assetId: string): Promise<Blob>;
  /** Hands over the picture that a task asked for. Rejects with `Unstored` where there is no fault in the picture. */
  upload(picture: Blob, name: string, taskId: string): Promise<void>;
  finish(taskId: string, outcome: TaskOutcome): Promise<void>;
}

/** How a task ended; without an error and without measures, the picture was uploaded. */
export interface TaskOutcome {
  error?: string;
  /** Why it is to be tried again: nothing was wrong with the file. */
  later?: 'unread' | 'unstored';
  measures?: MediaMeasures;
}

/** What a task asked for: a picture (a small one, or the last frame of a clip), or what was measured. */
export type TaskResult = { picture: Blob } | { measures: MediaMeasures };

/** Does one task. Rejects with `Hung` where it will never answer again. */
export type DoTask = (task: MediaTask, bytes: Blob) => Promise<TaskResult>;

/** What does the tasks answers nothing any more; the studio hands the task to another. */
export class Hung extends Error {}

/** A picture was made, and cannot be stored just now. */
export class Unstored extends Error {}

/**
 * Works off what the studio asks for, one task at a time: decoding what came from the network happens here, in a sandboxed page. A file
 * that cannot be decoded ends its own task with a sentence and nothing else; one that cannot be had or stored just now is put off.
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
