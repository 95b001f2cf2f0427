import { useCall } from '../../../app/index.ts';

/** The scheduled or open run, the last one, and what earlier ones left over. */
export const useNight = () => useCall('night.get', {}, { on: ['night.changed'] });

/** What would be sent as planned; read again when the run or its jobs change. */
export const useDryRun = (runId: string | undefined) =>
  useCall('night.dryRun', runId === undefined ? null : {}, {
    on: ['night.changed', 'job.changed', 'ledger.changed', 'queue.changed'],
  });
