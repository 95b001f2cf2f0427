import { fail, type Result } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import type { Ports } from './ports.ts';
import { isDiskFault, withoutChangeTracking } from './store/index.ts';

const RETRY_MS = 2_000;
/** The retry interval of concurrent steps. */
const RETRY_BESIDE_MS = 60_000;

/** A step that returns a promise runs concurrently with those after it. */
export type StartStep = () => unknown;

const FULL = t`The disk is full or cannot be written. Dailies sends nothing. Free some space and it continues.`;

/** The writes of a start, in sequence. If the disk is full, the studio opens read-only, and the rest is done when there is space. */
export class StudioStart {
  private readonly deps: Pick<Ports, 'clock' | 'log'>;
  private readonly left: StartStep[];
  private readonly retriesBeside = new Map<StartStep, () => void>();
  private isClosed = false;
  private cancelRetry: (() => void) | undefined;
  private isTold = false;

  /** A step that throws, or rejects with, an error of the disk is repeated; those before it are not. */
  constructor(deps: Pick<Ports, 'clock' | 'log'>, steps: readonly StartStep[]) {
    this.deps = deps;
    this.left = [...steps];
  }

  /** Runs the remaining steps, as far as there is space. Throws other errors. */
  goOn(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    try {
      for (let step = this.left[0]; step; step = this.left[0]) {
        this.begin(step);
        this.left.shift();
      }
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      if (!this.isTold) this.deps.log.error({ error: String(error) }, 'the start waits for room on the disk');
      this.isTold = true;
      this.cancelRetry = this.deps.clock.after(RETRY_MS, () => this.goOn());
    }
  }

  private begin(step: StartStep): void {
    const done = withoutChangeTracking(step);
    if (!(done instanceof Promise)) return;
    done.catch((error) => {
      if (this.isClosed || !isDiskFault(error)) return;
      this.retriesBeside.set(
        step,
        this.deps.clock.after(RETRY_BESIDE_MS, () => this.begin(step)),
      );
    });
  }

  /**
   * The refusal of writing calls until all is done, undefined afterwards. A try may involve thousands of jobs, so not every call makes one.
   */
  refusal(): Result<never> | undefined {
    if (this.left.length > 0 && !this.cancelRetry) this.goOn();
    return this.left.length > 0 ? fail('disk_full', FULL) : undefined;
  }

  close(): void {
    this.isClosed = true;
    this.cancelRetry?.();
    for (const cancel of this.retriesBeside.values()) cancel();
    this.left.length = 0;
  }
}
