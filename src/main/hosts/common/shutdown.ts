import { t } from '../../../shared/text/texts.ts';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';

/** The process exits after this time in any case, so that SIGTERM ends it within 10 s. */
const SHUTDOWN_TIMEOUT_MS = 8_000;

/** The settings library repeats a signal after its cleanup; no person presses Ctrl+C twice that fast. */
const SAME_SIGNAL_MS = 500;

export const SHUTDOWN_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface Shutdown {
  /** Shuts down in order with this exit code; a second call exits at once. */
  start(code: number): void;
}

/**
 * Shuts down in order on SIGTERM, SIGINT or SIGHUP; a second signal exits at once. Nothing more is sent from the first moment on: windows
 * and servers may take seconds to close, and a request sent meanwhile would be unconfirmed. At the next start accepted jobs resume;
 * unanswered ones are unconfirmed. `reportFault` shows the user the error that caused the shutdown, after it.
 */
export function createShutdown(
  studio: Pick<Studio, 'stopSending'>,
  end: () => Promise<void>,
  log: Logger,
  reportFault: (message: string) => void = () => {},
): Shutdown {
  let startedAt: number | undefined;
  let fault: Error | undefined;
  const exit = (code: number) => {
    if (fault)
      reportFault(
        t`Dailies had to stop: ${fault.message}. Start it again. Jobs that the gateway accepted are fetched; jobs without a reply are unconfirmed.`,
      );
    process.exit(code);
  };
  const start = (code: number) => {
    if (startedAt !== undefined) {
      if (performance.now() - startedAt > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    startedAt = performance.now();
    setTimeout(() => process.exit(code || 1), SHUTDOWN_TIMEOUT_MS).unref();
    studio.stopSending();
    end().then(
      () => exit(code),
      (error: unknown) => {
        log.error({ error: String(error) }, 'the end was not in order');
        exit(1);
      },
    );
  };
  for (const signal of SHUTDOWN_SIGNALS) process.on(signal, () => start(0));
  watchForFaults((error) => {
    if (startedAt === undefined) fault = error;
    start(1);
  }, log);
  return { start };
}

/** Closes these before the studio. Errors are logged, since the studio must be closed in any case. */
export async function endedAll(ends: readonly (Promise<unknown> | undefined)[], log: Logger): Promise<void> {
  for (const end of await Promise.allSettled(ends))
    if (end.status === 'rejected') log.error({ error: String(end.reason) }, 'a part of the end was not in order');
}

function watchForFaults(onFault: (error: Error) => void, log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'a fault that nothing handles');
    onFault(error);
  });
  process.on('unhandledRejection', (reason) => {
    log.error({ error: reason instanceof Error ? reason.stack : String(reason) }, 'a promise that nothing handles');
  });
  // A closed terminal must not end overnight work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
