import type { WebContents } from 'electron';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import {
  createMediaWorkerSupervisor,
  type MediaWorkerSupervisor,
  noteMediaCall,
} from '../common/mediaWorkerSupervisor.ts';
import type { CallObserver } from './ipc.ts';
import { type MediaWindow, openMediaWindow } from './windows.ts';

export interface ElectronMedia extends CallObserver {
  /** Starts supervising media work. */
  superviseFor(studio: Studio, log: Logger): MediaWorkerSupervisor;
}

/** The hidden media window. Pages leave the work to it, so it starts at once. */
export function createElectronMedia(): ElectronMedia {
  let supervisor: MediaWorkerSupervisor | undefined;
  let media: MediaWindow | undefined;
  const isWorker = (sender: WebContents) => media !== undefined && sender === media.contents;
  return {
    isWorker,
    called(sender, name, result) {
      if (supervisor) noteMediaCall(supervisor, isWorker(sender), name, result);
    },
    superviseFor(studio, log) {
      supervisor = createMediaWorkerSupervisor({
        subscribe: (listener) => studio.subscribe(listener),
        release: (taskIds) => void studio.call('media.release', { taskIds, died: true }),
        start: async () => {
          media = openMediaWindow();
          return media;
        },
        graceMs: 0,
        clock: systemClock,
        log,
      });
      return supervisor;
    },
  };
}
