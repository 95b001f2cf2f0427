import type { Gateway } from '../context.ts';
import { newMediaId } from '../ids.ts';
import { MEDIA_LIFE_MS } from '../mediaRoute.ts';
import type { MediaRecord, VideoOperation, VideoPlan, VideoSample } from '../state/records.ts';

/** Executes accepted operations, including those that a restart found unfinished, and notifies the request that waits for one. */
export class VideoWork {
  readonly #gateway: Gateway;
  readonly #running = new Map<string, Promise<void>>();
  /** The drawn share of each clip, by operation and seed. */
  readonly #drawn = new Map<string, number>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Resumes operations that an earlier run accepted and did not finish. */
  resume(): void {
    for (const operation of this.#gateway.state.videos.values())
      if (operation.state === 'running') this.start(operation.id);
  }

  /** Starts the work of an operation, once. */
  start(id: string): void {
    if (this.#running.has(id)) return;
    const operation = this.#gateway.state.videos.get(id);
    if (operation?.state !== 'running') return;
    const work = this.#finish(operation).catch(() => undefined);
    this.#running.set(id, work);
    void work.then(() => {
      this.#running.delete(id);
      for (const { seed } of operation.samples) this.#drawn.delete(`${id} ${seed}`);
    });
  }

  /** Resolves when the operation is done or the sandbox closes. */
  async wait(id: string): Promise<void> {
    await this.#running.get(id);
  }

  /** The drawn share of its clips, 0 to 1. */
  drawnOf({ id, samples }: VideoOperation): number {
    const drawn = samples.map(({ seed }) => this.#drawn.get(`${id} ${seed}`) ?? 0);
    return drawn.reduce((sum, one) => sum + one, 0) / Math.max(1, drawn.length);
  }

  async #finish(operation: VideoOperation): Promise<void> {
    const { clock, closing, state } = this.#gateway;
    const latency = clock.delay(operation.dueAt - clock.now(), closing);
    // Closing may end the delay before anything awaits it.
    latency.catch(() => undefined);
    if (operation.failure) {
      await latency;
      state.commit({ videos: [{ ...operation, state: 'failed' }] });
      return;
    }
    try {
      const made = Promise.all(operation.samples.map((sample) => this.#make(operation, sample)));
      const [results] = await Promise.all([made, latency]);
      state.commit({
        videos: [{ ...operation, state: 'done', samples: results.map(({ sample }) => sample) }],
        media: results.flatMap(({ media }) => media ?? []),
      });
    } catch (error) {
      // Closing is not a failure: the next run resumes the operation.
      if (closing.aborted) throw error;
      const failure = `The clip could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
      state.commit({ videos: [{ ...operation, state: 'failed', failure }], unbill: [operation.id] });
    }
  }

  async #make(operation: VideoOperation, sample: VideoSample): Promise<{ sample: VideoSample; media?: MediaRecord }> {
    if (sample.filtered) return { sample };
    const { clock, files } = this.#gateway;
    const key = `${operation.id} ${sample.seed}`;
    const spec = this.#specOf(operation.plan, operation.prompt, sample.seed);
    const clip = await this.#gateway.renderer.clip(spec, (drawn) => this.#drawn.set(key, drawn));
    this.#drawn.set(key, 1);
    const id = newMediaId();
    const createdAt = clock.now();
    files.putMedia(`${id}.last.png`, clip.lastFrame);
    const media: MediaRecord = {
      id,
      extension: 'mp4',
      createdAt,
      expiresAt: createdAt + MEDIA_LIFE_MS,
      width: operation.plan.width,
      height: operation.plan.height,
      model: operation.model,
      etag: files.putMedia(`${id}.mp4`, clip.video),
      bytes: clip.video.length,
      scene: clip.scene,
    };
    return { sample: { ...sample, mediaId: id }, media };
  }

  #specOf(plan: VideoPlan, prompt: string, seed: number) {
    const { files, state } = this.#gateway;
    const source = plan.video ? state.media.get(plan.video) : undefined;
    return {
      width: plan.width,
      height: plan.height,
      seconds: plan.seconds,
      audio: plan.audio,
      prompt,
      seed,
      references: plan.references.map((name) => files.readInput(name)),
      ...(plan.image && { image: files.readInput(plan.image) }),
      ...(plan.lastFrame && { lastFrame: files.readInput(plan.lastFrame) }),
      ...(plan.defects && { defects: plan.defects }),
      ...(source && { extends: { lastFrame: files.readMedia(`${source.id}.last.png`), scene: source.scene } }),
    };
  }
}
