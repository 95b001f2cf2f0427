/** What a loop needs from the studio. */
interface Claims<Task> {
  /** The next task, for this page alone; null if there is none, undefined if the studio does not answer. */
  claim(): Promise<Task | null | undefined>;
  /** Does and reports the task; never throws. `false` if the worker no longer answers. */
  work(task: Task): Promise<boolean>;
}

/** Does the studio's tasks one by one. */
export class ClaimLoop<Task extends { id: string }> {
  private readonly claims: Claims<Task>;
  /** The current task. */
  private current: Task | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = false;

  constructor(claims: Claims<Task>) {
    this.claims = claims;
  }

  /** Called when there may be work. Resolves when none is left; a call meanwhile makes the loop look again at the end. */
  wake(): Promise<void> {
    this.isWoken = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  get atHand(): string | undefined {
    return this.current?.id;
  }

  /** Claims no further task; the current one is finished. */
  stop(): void {
    this.isStopped = true;
  }

  private async run(): Promise<void> {
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      for (let task = await this.claim(); task; task = await this.claim()) {
        this.current = task;
        if (!(await this.claims.work(task))) this.stop();
        this.current = undefined;
      }
    }
  }

  private async claim(): Promise<Task | null | undefined> {
    return this.isStopped ? null : this.claims.claim();
  }
}
