import type { NightRun } from '../../../../shared/night.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import { Confirm, rich } from '../../../ui/index.ts';

interface StopNightProps {
  night: NightRun;
  open: boolean;
  onClose: () => void;
  onStop: () => void;
}

/** What stopping keeps, gives back and finishes. */
export function StopNight({ night, open, onClose, onStop }: StopNightProps) {
  const { waiting, underWay } = night.jobs;
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t`${night.state === 'open' ? t`Stop` : t`Cancel`} Night ${night.number}?`}
      actionLabel={night.state === 'open' ? t`Stop the night` : t`Cancel the night`}
      onConfirm={onStop}
    >
      {rich`${counted(waiting, 'job')} ${inflected(waiting, 'stays', 'stay')} waiting, unsent, and ${inflected(waiting, 'gives', 'give')} back what is reserved. ${underWay > 0 && t`${counted(underWay, 'job')} under way will be finished. `}It does not open again; you can plan another one.`}
    </Confirm>
  );
}
