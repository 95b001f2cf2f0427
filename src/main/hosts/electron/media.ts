import type { WebContents } from 'electron';
import type { CallOutput } from '../../../shared/contract.ts';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import { createMediaKeeper, type MediaKeeper } from '../common/mediaKeeper.ts';
import type { CallObserver } from './ipc.ts';
import { type MediaWindow, openMediaWindow } from './windows.ts';

export interface ElectronMedia extends CallObserver {
  /** From now on there is somebody to do media work. */
  keepFor(studio: Studio, log: Logger): MediaKeeper;
}

/** The hidden media window, and who in it or in a page takes work. The page leaves the work to it, so it starts at once. */
export function createElectronMedia(): ElectronMedia {
  let keeper: MediaKeeper | undefined;
  let media: MediaWindow | undefined;
  const isWorker = (sender: WebContents) => media !== undefined && sender === media.contents;
  return {
    isWorker,
    called(sender, name, result) {
      if (name === 'media.finish' && isWorker(sender)) keeper?.workerFinishes();
      if (name !== 'media.claim' || !result.ok) return;
      if (isWorker(sender)) keeper?.workerClaims((result.data as CallOutput<'media.claim'>).task !== null);
      else keeper?.pageClaims();
    },
    keepFor(studio, log) {
      keeper = createMediaKeeper({
        subscribe: (listener) => studio.subscribe(listener),
        start: async () => {
          media = openMediaWindow();
          return media;
        },
        graceMs: 0,
        clock: systemClock,
        log,
      });
      return keeper;
    },
  };
}
