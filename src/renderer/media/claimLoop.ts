/** What a loop needs of the studio. */
interface Claims<Task> {
  /** The next piece of work, for this page alone; null where there is none, undefined where the studio does not answer. */
  claim(): Promise<Task | null | undefined>;
  /** Does it, reports it, and never throws; `false` where whoever does the work answers no more. */
  work(task: Task): Promise<boolean>;
}

/** Works off what the studio has to do, one task at a time. */
export class ClaimLoop<Task extends { id: string }> {
  private readonly claims: Claims<Task>;
  /** What is being done. */
  private current: Task | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = false;

  constructor(claims: Claims<Task>) {
    this.claims = claims;
  }

  /** There may be work. Resolves when there is none left; a call while it works makes it look once more at the end. */
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

  /** Claims nothing more; what it works on is still finished. */
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
