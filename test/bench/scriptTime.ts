import type { CDPSession, Page } from 'playwright';
import { within } from './within.ts';

const ANSWER_MS = 60_000;

/** How long a page's scripts, and all of its tasks, have run, in ms of its main thread, independent of other load. */
export interface Spent {
  script: number;
  task: number;
}

export class ScriptTime {
  private readonly session: CDPSession;

  private constructor(session: CDPSession) {
    this.session = session;
  }

  static async of(page: Page): Promise<ScriptTime> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new ScriptTime(session);
  }

  /** The time spent during `use`. */
  async during(use: () => Promise<unknown>): Promise<Spent> {
    const before = await this.now();
    await use();
    const after = await this.now();
    return { script: after.script - before.script, task: after.task - before.task };
  }

  private async now(): Promise<Spent> {
    const asked = this.session.send('Performance.getMetrics');
    const { metrics } = await within(ANSWER_MS, 'the page had not said how long its scripts ran', asked);
    const msOf = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1_000;
    return { script: msOf('ScriptDuration'), task: msOf('TaskDuration') };
  }
}
