import { isDiskFault } from '../../src/main/core/jobs/persist.ts';

/** Many writers on one file: who has waited too long for the lock asks again. Any other fault is thrown. */
export function patiently<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isDiskFault(error)) throw error;
    }
  }
}
