import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Power } from '../../core/ports.ts';
import type { WallClock } from '../common/clock.ts';

/** Electron's hold on the machine's sleep: the screen may go dark, the machine goes on. */
export function createPower(): Power {
  let blocker: number | undefined;
  return {
    hold(awake) {
      if (blocker !== undefined) powerSaveBlocker.stop(blocker);
      blocker = awake ? powerSaveBlocker.start('prevent-app-suspension') : undefined;
    },
  };
}

/** A machine that slept all the same: what came due meanwhile is due now. */
export function wakeWithMachine(clock: WallClock): void {
  powerMonitor.on('resume', () => clock.recheck());
}
