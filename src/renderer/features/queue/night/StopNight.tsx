import type { NightRun } from '../../../../shared/night.ts';
import { Confirm, plural } from '../../../ui/index.ts';

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
      title={`${night.state === 'open' ? 'Stop' : 'Cancel'} Night ${night.number}?`}
      actionLabel={night.state === 'open' ? 'Stop the night' : 'Cancel the night'}
      onConfirm={onStop}
    >
      {plural(waiting, 'job')} {waiting === 1 ? 'stays' : 'stay'} waiting, unsent, and{' '}
      {waiting === 1 ? 'gives' : 'give'} back what is reserved.{' '}
      {underWay > 0 && `${plural(underWay, 'job')} under way will be finished. `}It does not open again; you can plan
      another one.
    </Confirm>
  );
}
