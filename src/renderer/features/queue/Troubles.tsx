import { X } from 'lucide-react';
import { dismissNotice, type Standing, useTroubles } from '../../app/index.ts';
import { FailGlyph, formatClock, Icon, IconButton } from '../../ui/index.ts';

/** What toasts have told and is not over, a line each, newest first: by itself it goes when it is over. */
export function Troubles() {
  const standing = useTroubles();
  if (standing.length === 0) return null;
  return (
    <ul className="troubles" aria-label="Troubles">
      {standing.map((notice) => (
        <li key={`${notice.at} ${notice.text}`}>
          <span className="mono t3">{formatClock(notice.at)}</span>
          <span className="st failed">
            <FailGlyph />
          </span>
          <span className="grow">{notice.text}</span>
          <IconButton label={`Dismiss: ${notice.text}`} onClick={() => dismiss(notice)}>
            <Icon of={X} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** The button goes with its line: the focus stays on the panel. */
function dismiss(notice: Standing): void {
  document.querySelector<HTMLElement>('.q-main')?.focus();
  dismissNotice(notice);
}
