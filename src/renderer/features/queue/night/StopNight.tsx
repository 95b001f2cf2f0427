import type { NightRun } from '../../../../shared/jobs/night.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import type { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Confirm } from '../../../ui/index.ts';

interface StopNightProps {
  night: NightRun;
  open: boolean;
  onClose: () => void;
  run: ReturnType<typeof useAction>['run'];
}

/** What stopping keeps, releases and finishes. */
export function StopNight({ night, open, onClose, run }: StopNightProps) {
  const { waiting, underWay } = night.jobs;
  const repeats = night.days.length > 0;
  return (
    <Confirm
      open={open}
      onClose={onClose}
      actionLabel={night.state === 'open' ? t`Stop the run` : t`Cancel the run`}
      onConfirm={() => {
        onClose();
        void run(call('night.stop', { runId: night.id }));
      }}
    >
      {[
        waiting > 0 && t`${counted(waiting, 'job')} will not be sent.`,
        underWay > 0 && t`${counted(underWay, 'running job')} will finish and be charged.`,
        repeats &&
          (night.state === 'open' ? t`The next run stays scheduled without them.` : t`The run no longer repeats.`),
      ]
        .filter(Boolean)
        .join(' ')}
    </Confirm>
  );
}
