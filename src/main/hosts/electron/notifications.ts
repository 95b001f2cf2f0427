import { Notification } from 'electron';
import { shownName } from '../../../shared/shownName.ts';
import type { Notifier } from '../../core/ports.ts';

/** Notifications are kept, since a collected one loses its click. The oldest beyond this number are dropped. */
const MAX_KEPT = 100;

/** Desktop notifications, each kept until it is clicked: a night's are read in the morning. */
export function createNotifier(onClick: () => void): Notifier {
  const kept = new Set<Notification>();
  // Windows only: one of an earlier run, too.
  Notification.handleActivation?.(() => onClick());
  return {
    notify({ title, body }) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title: shownName(title), body: shownName(body) });
      const release = () => void kept.delete(notification);
      notification.on('click', () => {
        release();
        onClick();
      });
      notification.on('failed', release);
      kept.add(notification);
      const [oldest] = kept;
      if (oldest && kept.size > MAX_KEPT) kept.delete(oldest);
      notification.show();
    },
  };
}
