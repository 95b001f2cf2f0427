import { Notification } from 'electron';
import { safeName } from '../../../shared/text/safeText.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Notifier } from '../../core/ports.ts';

/** Notifications are referenced, since a garbage-collected one loses its click; the oldest beyond this number are dropped. */
const MAX_KEPT = 100;

type Message = Parameters<Notifier['notify']>[0];
/** The target of a click; empty for a notification of an earlier run. */
export type NotifiedAbout = Pick<Message, 'jobId' | 'place'>;

/**
 * Desktop notifications, kept until they are clicked: those of an overnight run are read in the morning. A button does the same as a click.
 */
export function createNotifier(onClick: (about: NotifiedAbout) => void): Notifier {
  const kept = new Set<Notification>();
  // Windows only: also called for a notification of an earlier run.
  Notification.handleActivation?.(() => onClick({}));
  return {
    notify(message) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({
        title: safeName(message.title),
        body: safeName(message.body),
        actions: [{ type: 'button', text: buttonOf(message) }],
      });
      const release = () => void kept.delete(notification);
      const act = () => {
        release();
        onClick(message);
      };
      notification.on('click', act);
      notification.on('action', act);
      notification.on('failed', release);
      kept.add(notification);
      const [oldest] = kept;
      if (oldest && kept.size > MAX_KEPT) kept.delete(oldest);
      notification.show();
    },
  };
}

const buttonOf = ({ jobId, place }: NotifiedAbout): string =>
  jobId !== undefined ? t`Show the job` : place === 'night' ? t`Show the run` : t`Open Dailies`;
