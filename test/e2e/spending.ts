import type { Locator } from 'playwright';
import { expect } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import { formatNano } from '../../src/shared/money/money.ts';
import type { Hands } from './hands.ts';
import type { Program } from './program.ts';

/** Paid buttons, whose price is read before the click. */
export class Spending {
  readonly jobs: Job[] = [];
  private readonly program: Program;
  private readonly hands: Hands;

  constructor(program: Program, hands: Hands) {
    this.program = program;
    this.hands = hands;
  }

  async all(): Promise<Job[]> {
    const { jobs } = await this.program.host.ask('jobs.list', { limit: 500 });
    return jobs.toSorted((one, other) => one.createdAt - other.createdAt);
  }

  /** Clicks a paid button; its jobs must be reserved at the shown price. Returns them in order. */
  async press(button: Locator, price: Locator, count: number): Promise<Job[]> {
    await button.and(this.program.page.locator(':not([disabled]):not([aria-disabled=true])')).waitFor();
    const shown = await price.first().textContent();
    const before = new Set((await this.all()).map(({ id }) => id));
    await this.hands.press(button, (await this.isMain(button)) ? 'Control+Enter' : undefined);
    const added = async () => (await this.all()).filter(({ id }) => !before.has(id));
    await expect.poll(async () => (await added()).length).toBe(count);
    const jobs = await added();
    const sum = (of: (job: Job) => number) => jobs.reduce((total, job) => total + of(job), 0);
    expect(shown).toBe(formatNano(sum(({ money }) => money.estimateNano)));
    this.jobs.push(...jobs);
    return jobs;
  }

  /** Whether the button shows its shortcut. */
  private async isMain(button: Locator): Promise<boolean> {
    return ((await button.textContent()) ?? '').includes('Ctrl');
  }

  /** Waits until everything requested is made. */
  async made(): Promise<void> {
    const events = await this.program.host.events();
    try {
      const waited = (await this.all()).filter(({ state }) => state !== 'succeeded');
      const isMade = ({ id }: Job) =>
        events.next('job.changed', ({ job }) => job.id === id && job.state === 'succeeded');
      await Promise.all(waited.map(isMade));
    } finally {
      await events.close();
    }
    expect(new Set((await this.all()).map(({ state }) => state))).toEqual(new Set(['succeeded']));
  }

  /** Asserts that nothing else was requested, and that the ledger's charges equal the sandbox's bill to the nano-dollar. */
  async expectBill(): Promise<void> {
    expect((await this.all()).map(({ id }) => id).toSorted()).toEqual(this.jobs.map(({ id }) => id).toSorted());
    const { totalNano, entries } = await this.program.bill();
    expect(entries).toHaveLength(this.jobs.length);
    const { sum } = await this.program.host.ask('ledger.totals', { groupBy: 'project' });
    expect(sum).toMatchObject({ settledNano: totalNano, reservedNano: 0, uncertainNano: 0 });
  }
}
