import { PanelLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './glyphs.tsx';

export interface DrawerTabProps {
  /** The id of the left panel it opens. */
  panelId: string;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/**
 * Opens the page's left panel if the window is too narrow for it; in a wide window the panel is always open and this tab is hidden. Give
 * the page the class `drawers`, and `drawer` while open. The focus moves into the panel, and back to the tab if that had it.
 */
export function DrawerTab({ panelId, isOpen, onToggle, children }: DrawerTabProps) {
  const tab = useRef<HTMLSpanElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const panel = document.getElementById(panelId);
    const lost = document.activeElement === document.body || panel?.contains(document.activeElement);
    if (isOpen) panel?.querySelector<HTMLElement>('input, button, a[href], [tabindex="0"]')?.focus();
    else if (lost) tab.current?.querySelector('button')?.focus();
  }, [isOpen, panelId]);
  return (
    <span ref={tab} className="drawer-tab">
      <Button variant="ghost" aria-expanded={isOpen} aria-controls={panelId} onClick={onToggle}>
        <Icon of={PanelLeft} />
        {children}
      </Button>
    </span>
  );
}
