import type { JobState } from '../../src/shared/jobs/job.ts';

/** Everything requested, acknowledged and seen from outside: what the studio must have kept. */
export class ExpectedState {
  /** Job id → the unique word in its prompt. */
  readonly acknowledged = new Map<string, string>();
  /** How often the user asked to resend an unconfirmed job, whether or not the call was answered. */
  readonly resends = new Map<string, number>();
  /** The last final state shown for each job. */
  readonly ended = new Map<string, JobState>();
  /** Acknowledged messages: message id → job id. */
  readonly messages = new Map<string, string>();
  /** Number of refused calls by error code. */
  readonly refusals = new Map<string, number>();
  private readonly lines: string[] = [];
  private readonly start = Date.now();

  log(line: string): void {
    this.lines.push(`${((Date.now() - this.start) / 1000).toFixed(3)} ${line}`);
  }

  /** Every log line that contains one of these names. */
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
