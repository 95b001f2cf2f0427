import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { app } from 'electron';
import type { HostEvent } from '../../../../shared/contract/hostEvents.ts';
import { shownBeginning } from '../../../../shared/text/safeText.ts';
import { t } from '../../../../shared/text/texts.ts';
import { bytesOf } from '../../../core/library/index.ts';
import type { Logger } from '../../../core/ports.ts';
import type { Studio } from '../../../core/studio.ts';
import { bundlePath, type Opened, openedBy, parseLink } from './opened.ts';

interface Taker {
  studio: Studio;
  show(): void;
  post(event: HostEvent): void;
  log: Logger;
}

const LONGEST_NAME = 200;
const MOST_WAITING = 10;

/** Receives what the system opens Dailies with. */
interface OpenedItems {
  handOver(taker: Taker): void;
  /** From now on nothing is shown: later starts and what they open go to `again`. */
  end(again: (opened: Opened | undefined) => void): void;
}

/**
 * Collects from the start what the system opens Dailies with, and hands it over once there is a studio. A link is only shown and a bundle
 * only read; the user decides in the window.
 */
export function collectOpened(argv: readonly string[], folder: string): OpenedItems {
  let taker: Taker | undefined;
  let again: ((opened: Opened | undefined) => void) | undefined;
  let waiting: Opened[] = [];
  const take = (opened: Opened | undefined) => {
    if (!opened) return;
    if (again) again(opened);
    else if (taker) void handle(opened, taker);
    else waiting = [...waiting, opened].slice(-MOST_WAITING);
  };
  // macOS, also before `ready`.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseLink(url);
    take(link && { link });
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    const bundle = bundlePath(path, folder);
    take(bundle === undefined ? undefined : { bundle });
  });
  app.on('second-instance', (_, args, cwd) => {
    const opened = openedBy(args, cwd);
    if (again) again(opened);
    else take(opened);
  });
  take(openedBy(argv, folder));
  return {
    handOver(next) {
      taker = next;
      for (const opened of waiting.splice(0)) take(opened);
    },
    end(next) {
      again = next;
    },
  };
}

async function handle(opened: Opened, { studio, show, post, log }: Taker): Promise<void> {
  show();
  if ('link' in opened) return post({ type: 'host.link', ...opened.link });
  const name = shownBeginning(basename(opened.bundle), LONGEST_NAME);
  post({ type: 'host.bundle', name });
  try {
    // A pipe or device would never end.
    if (!(await stat(opened.bundle)).isFile()) throw new Error('it is not a file');
    const received = await studio.media.receiveBundle({ name, body: Readable.from(bytesOf(opened.bundle)) });
    if (!received.ok) return post({ type: 'host.bundle', name, refusal: received.error.message });
    app.addRecentDocument(opened.bundle);
    post({ type: 'host.bundle', name, uploadId: received.data.uploadId });
  } catch (error) {
    log.warn({ error: String(error) }, 'a bundle that the system opened could not be read');
    post({ type: 'host.bundle', name, refusal: t`${name} could not be read. Nothing was opened.` });
  }
}
