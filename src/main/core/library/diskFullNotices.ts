import { t } from '../../../shared/text/texts.ts';

/** Tells the user once when the disk is full, and once when there is space again. */
export function createDiskFullNotices({ notify }: { notify(level: 'info' | 'error', text: string): void }) {
  let isAnnounced = false;
  return {
    diskIsFull(): void {
      if (!isAnnounced) {
        notify(
          'error',
          t`The disk is full. Results wait at the gateway: make room before their links end; it goes on by itself.`,
        );
      }
      isAnnounced = true;
    },
    diskHasSpace(): void {
      if (isAnnounced) notify('info', t`There is room again. Results are being downloaded.`);
      isAnnounced = false;
    },
  };
}
