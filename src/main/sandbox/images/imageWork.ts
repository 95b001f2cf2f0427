import type { Gateway } from '../context.ts';
import { newMediaId } from '../ids.ts';
import { MEDIA_LIFE_MS } from '../mediaRoute.ts';
import type { EditPlan, ImageTask, ImaginePlan, MediaRecord } from '../state/records.ts';
import { watermarkLabel } from '../watermarkLabel.ts';
import { deliverHooks, reportProgress } from './webhooks.ts';

/** Executes accepted image tasks, including those that a restart found unfinished. */
export class ImageWork {
  readonly #gateway: Gateway;
  readonly #running = new Set<string>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Resumes tasks that an earlier run accepted and did not finish. */
  resume(): void {
    for (const task of this.#gateway.state.images.values()) if (task.state === 'running') this.start(task.id);
  }

  /** Starts the work of a task, once. */
  start(id: string): void {
    const task = this.#gateway.state.images.get(id);
    if (task?.state !== 'running' || this.#running.has(id)) return;
    this.#running.add(id);
    void this.#finish(task)
      .catch(() => undefined)
      .then(() => this.#running.delete(id));
  }

  async #finish(task: ImageTask): Promise<void> {
    const { clock, closing, state } = this.#gateway;
    const latency = clock.delay(task.dueAt - clock.now(), closing);
    const progress = clock
      .delay((task.dueAt - clock.now()) / 2, closing)
      .then(() => reportProgress(this.#gateway, task.id));
    // Closing may end the delay before anything awaits it.
    latency.catch(() => undefined);
    progress.catch(() => undefined);
    try {
      const made = task.failure ? null : await this.#make(task.plan);
      await latency;
      if (task.hook?.what === 'forged') await progress;
      if (state.images.get(task.id)?.state === 'canceled') return;
      const finishedAt = clock.now();
      const done: ImageTask = made
        ? { ...task, state: 'done', mediaId: made.id, finishedAt }
        : { ...task, state: 'failed', finishedAt };
      state.commit({ images: [done], media: made ? [made] : [] });
    } catch (error) {
      // Closing is not a failure: the next run resumes the task.
      if (closing.aborted) throw error;
      const failure = `The picture could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
      state.commit({ images: [{ ...task, state: 'failed', failure, finishedAt: clock.now() }], unbill: [task.id] });
    }
    await deliverHooks(this.#gateway, task.id);
  }

  async #make(plan: ImaginePlan | EditPlan): Promise<MediaRecord> {
    const { clock, files, renderer, state } = this.#gateway;
    const base = plan.kind === 'edit' ? state.media.get(plan.base) : undefined;
    const label = plan.kind === 'imagine' ? watermarkLabel(plan.words, plan.seed) : (base?.label ?? '');
    const png =
      plan.kind === 'imagine'
        ? await renderer.still({ ...plan, prompt: plan.words, label })
        : await renderer.edit({
            ...plan,
            prompt: plan.words,
            label,
            base: files.readMedia(`${plan.base}.png`),
            mask: files.readInput(plan.mask),
          });
    const id = newMediaId();
    const createdAt = clock.now();
    return {
      id,
      extension: 'png',
      createdAt,
      expiresAt: createdAt + MEDIA_LIFE_MS,
      width: plan.width,
      height: plan.height,
      model: plan.kind === 'imagine' ? `image-v${plan.version}` : (base?.model ?? 'image'),
      etag: files.putMedia(`${id}.png`, png),
      bytes: png.length,
      label,
    };
  }
}
