import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Power } from '../../core/ports.ts';
import type { WallClock } from '../common/clock.ts';

/** Keeps the machine awake through Electron, where the screen may still go dark, and knows what it runs on. */
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

/** After a sleep, what came due meanwhile is due now. */
export function recheckOnResume(clock: WallClock): void {
  powerMonitor.on('resume', () => clock.recheck());
}
