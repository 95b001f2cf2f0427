import type { Logger } from '../../core/ports.ts';

/** What has not ended by then is cut off (CONTRACT "Starting and ending": SIGTERM ends it within 10 s). */
const LONGEST_END_MS = 8_000;

/** The settings file's library sends a signal again after it has cleaned up; nobody presses Ctrl+C twice that fast. */
const SAME_SIGNAL_MS = 500;

export const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface Ending {
  /** Ends in order with this exit code; called again, it ends at once. */
  begin(code: number): void;
}

/**
 * Ends the program in order on SIGTERM, SIGINT or SIGHUP; a second signal ends it at once. Whatever is cut off, the store holds:
 * what was open resumes at the next start. `tellFault` shows the user, after the end, what ended it.
 */
export function createEnding(
  end: () => Promise<void>,
  log: Logger,
  tellFault: (message: string) => void = () => {},
): Ending {
  let begunAt: number | undefined;
  let fault: Error | undefined;
  const exit = (code: number) => {
    if (fault)
      tellFault(
        `Dailies had to stop: ${fault.message}. Nothing that was paid for is lost; start it again and it goes on.`,
      );
    process.exit(code);
  };
  const begin = (code: number) => {
    if (begunAt !== undefined) {
      if (performance.now() - begunAt > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    begunAt = performance.now();
    setTimeout(() => process.exit(code || 1), LONGEST_END_MS).unref();
    end().then(
      () => exit(code),
      (error: unknown) => {
        log.error({ error: String(error) }, 'the end was not in order');
        exit(1);
      },
    );
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, () => begin(0));
  watchForFaults((error) => {
    if (begunAt === undefined) fault = error;
    begin(1);
  }, log);
  return { begin };
}

function watchForFaults(onFault: (error: Error) => void, log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'a fault that nothing handles');
    onFault(error);
  });
  process.on('unhandledRejection', (reason) => {
    log.error({ error: reason instanceof Error ? reason.stack : String(reason) }, 'a promise that nothing handles');
  });
  // A terminal that was closed must not end a night's work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
