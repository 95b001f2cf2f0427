import { ok } from '../../shared/result.ts';
import { Evidence } from './evidence/index.ts';
import type { Exports } from './exports/index.ts';
import { jobTable } from './jobs/index.ts';
import type { Night } from './night/index.ts';
import type { Ports, StudioOptions } from './ports.ts';
import type { Profiles } from './profiles/index.ts';
import { billedLines } from './statements/index.ts';
import type { Store } from './store/index.ts';
import type { Storyboard } from './storyboard/index.ts';

/** Evidence, with what the other modules know of jobs, nights and boards. */
export function createEvidence({
  options,
  night,
  storyboard,
  ...parts
}: {
  store: Store;
  clock: Ports['clock'];
  options: StudioOptions;
  profiles: Profiles;
  exports: Exports;
  storyboard: Storyboard;
  night: Night;
}): Evidence {
  return new Evidence({
    ...parts,
    by: `Dailies ${options.version}`,
    jobs: jobTable,
    night: (runId) => {
      const report = night.report(runId);
      return report.ok ? ok({ number: report.data.run.number }) : report;
    },
    takeNames: (projectId) => storyboard.takeNames(projectId),
    projectName: (id) => storyboard.projectName(id),
    billed: billedLines,
  });
}
