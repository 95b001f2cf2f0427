import type { NightRun } from '../../../../shared/night.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import type { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Confirm, rich } from '../../../ui/index.ts';

interface StopNightProps {
  night: NightRun;
  open: boolean;
  onClose: () => void;
  run: ReturnType<typeof useAction>['run'];
}

/** What stopping keeps, gives back and finishes. */
export function StopNight({ night, open, onClose, run }: StopNightProps) {
  const { waiting, underWay } = night.jobs;
  // One that is called off before it begins ends the repeating too.
  const opensAgain = night.state === 'open' && night.days.length > 0;
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t`${night.state === 'open' ? t`Stop` : t`Cancel`} Night ${night.number}?`}
      actionLabel={night.state === 'open' ? t`Stop the night` : t`Cancel the night`}
      onConfirm={() => {
        onClose();
        void run(call('night.stop', { runId: night.id }));
      }}
    >
      {rich`${waiting > 0 ? t`${counted(waiting, 'job')} ${inflected(waiting, 'stays', 'stay')} waiting, unsent, and ${inflected(waiting, 'gives', 'give')} back what is reserved.` : t`Nothing waits in it.`} ${underWay > 0 && t`${counted(underWay, 'job')} under way will be finished. `}${opensAgain ? t`The next of its days is planned, without these jobs; cancel that night too if it is not to open.` : t`It does not open again; you can plan another one.`}`}
    </Confirm>
  );
}
