import type { JobState } from '../../src/shared/job.ts';

/** What the outside knows: what was asked, what was acknowledged, what was seen. The studio is held to it. */
export class Diary {
  /** Job id → the word in its prompt that no other order has. */
  readonly acknowledged = new Map<string, string>();
  /** How often the user asked for a job in doubt to be sent again, answered or not. */
  readonly resends = new Map<string, number>();
  /** The last final state that was shown of a job. */
  readonly ended = new Map<string, JobState>();
  /** Conversation messages that were acknowledged. */
  readonly messages = new Map<string, string>();
  /** How often a call was refused, by code. */
  readonly refusals = new Map<string, number>();
  private readonly lines: string[] = [];
  private readonly start = Date.now();

  write(line: string): void {
    this.lines.push(`${((Date.now() - this.start) / 1000).toFixed(3)} ${line}`);
  }

  /** Every line that names one of these. */
  about(names: string[]): string[] {
    return this.lines.filter((line) => names.some((name) => line.includes(name)));
  }

  refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  resent(id: string): void {
    this.resends.set(id, (this.resends.get(id) ?? 0) + 1);
  }
}
