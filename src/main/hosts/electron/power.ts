import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Power } from '../../core/ports.ts';
import type { WallClock } from '../common/clock.ts';

/** Keeps the machine awake, with the screen allowed to sleep, and tells the power source. */
export function createPower(): Power {
  let blocker: number | undefined;
  return {
    hold(awake) {
      if (blocker !== undefined) powerSaveBlocker.stop(blocker);
      blocker = awake ? powerSaveBlocker.start('prevent-app-suspension') : undefined;
    },
    source: () => (powerMonitor.isOnBatteryPower() ? 'battery' : 'mains'),
    onSourceChange: (listener) => {
      powerMonitor.on('on-battery', listener);
      powerMonitor.on('on-ac', listener);
    },
  };
}

/** After a sleep, overdue waits end. */
export function recheckOnResume(clock: WallClock): void {
  powerMonitor.on('resume', () => clock.recheck());
}
