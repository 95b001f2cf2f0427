import { parentPort } from 'node:worker_threads';
import { drawClip } from './clip.ts';
import { drawEdit } from './edit.ts';
import type { RenderJob, RenderReply } from './specs.ts';
import { drawStill } from './still.ts';

/** A render thread: one job at a time, in order of arrival. */
parentPort?.on('message', async ({ id, job }: { id: number; job: RenderJob }) => {
  let reply: RenderReply;
  try {
    reply = { id, ok: true, result: await perform(job, (drawn) => parentPort?.postMessage({ id, drawn })) };
  } catch (error) {
    reply = { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});

function perform(job: RenderJob, report: (drawn: number) => void) {
  if (job.kind === 'still') return drawStill(job.spec);
  return job.kind === 'edit' ? drawEdit(job.spec) : drawClip(job.spec, report);
}
