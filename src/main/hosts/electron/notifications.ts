import { Notification } from 'electron';
import { shownName } from '../../../shared/shownName.ts';
import type { Notifier } from '../../core/ports.ts';

/** One that nobody refers to is collected, and its click goes nowhere. The oldest of so many are let go. */
const MOST_KEPT = 100;

/** Notifications of the desktop, each kept until it was clicked: a night's are read in the morning. */
export function createNotifier(onClick: () => void): Notifier {
  const kept = new Set<Notification>();
  // Windows only: one of an earlier run, too.
  Notification.handleActivation?.(() => onClick());
  return {
    notify({ title, body }) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title: shownName(title), body: shownName(body) });
      const letGo = () => void kept.delete(notification);
      notification.on('click', () => {
        letGo();
        onClick();
      });
      notification.on('failed', letGo);
      kept.add(notification);
      const [oldest] = kept;
      if (oldest && kept.size > MOST_KEPT) kept.delete(oldest);
      notification.show();
    },
  };
}
