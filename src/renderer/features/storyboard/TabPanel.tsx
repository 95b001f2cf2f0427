import { type ReactNode, useEffect, useRef } from 'react';
import { focusTemporarily } from '../../app/index.ts';
import { isPageCovered } from '../../ui/index.ts';
import styles from './storyboard.module.css';
import type { BoardTabId } from './useBoard.ts';

/**
 * What stands under the tabs. A tab that was opened by its key has the focus here, unless a part of it took that itself; one that was
 * chosen among the tabs leaves it there.
 */
export function TabPanel({ tab, label, children }: { tab: BoardTabId; label: string; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    const active = document.activeElement;
    const isElsewhere = !panel.current?.contains(active) && !active?.matches('[role="tab"]');
    if (panel.current && isElsewhere && !isPageCovered()) focusTemporarily(panel.current);
  }, [tab]);
  return (
    <div className={styles.sbPanel} role="tabpanel" aria-label={label} tabIndex={-1} ref={panel}>
      {children}
    </div>
  );
}
