import { useCall } from '../../../app/index.ts';

/** The night that is planned or open, the last one, and what earlier ones left. */
export const useNight = () => useCall('night.get', {}, { on: ['night.changed'] });

/** What would be sent as planned; read again when the night or its jobs change. */
export const useDryRun = (runId: string | undefined) =>
  useCall('night.dryRun', runId === undefined ? null : {}, {
    on: ['night.changed', 'job.changed', 'ledger.changed', 'queue.changed'],
  });
