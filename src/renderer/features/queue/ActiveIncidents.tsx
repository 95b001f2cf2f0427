import { X } from 'lucide-react';
import { t } from '../../../shared/texts.ts';
import { dismissIncident, type Incident, useActiveIncidents } from '../../app/index.ts';
import { FailGlyph, formatClock, Icon, IconButton } from '../../ui/index.ts';
import styles from './queue.module.css';

/** Problems that toasts have reported, a line each, newest first; a line goes by itself when its problem is over. */
export function ActiveIncidents() {
  const incidents = useActiveIncidents();
  if (incidents.length === 0) return null;
  return (
    <ul className={styles.incidents} aria-label={t`Problems`}>
      {incidents.map((incident) => (
        <li key={`${incident.at} ${incident.text}`}>
          <span className="mono t3">{formatClock(incident.at)}</span>
          <span className="st failed">
            <FailGlyph />
          </span>
          <span className="grow">{incident.text}</span>
          <IconButton label={t`Dismiss: ${incident.text}`} onClick={() => dismiss(incident)}>
            <Icon of={X} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** The button goes with its line: the focus stays on the panel. */
function dismiss(incident: Incident): void {
  document.querySelector<HTMLElement>(`.${styles.queue} > .col`)?.focus();
  dismissIncident(incident);
}
