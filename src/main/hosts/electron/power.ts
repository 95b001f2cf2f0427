import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Power } from '../../core/ports.ts';
import type { WallClock } from '../common/clock.ts';

/** Keeps the machine awake through Electron; the screen may still go dark. */
export function createPower(): Power {
  let blocker: number | undefined;
  return {
    hold(awake) {
      if (blocker !== undefined) powerSaveBlocker.stop(blocker);
      blocker = awake ? powerSaveBlocker.start('prevent-app-suspension') : undefined;
    },
  };
}

/** After a sleep, what came due meanwhile is due now. */
export function recheckOnResume(clock: WallClock): void {
  powerMonitor.on('resume', () => clock.recheck());
}
