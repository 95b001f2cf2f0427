import { useEffect, useState } from 'react';

/** What does something of its own on Enter. The pictures do not, nor do the tab that is open and the shot that is chosen already. */
const CONTROLS = 'button:not(.cell), a, input, select, textarea, [role="option"], [role="menuitem"], [role="slider"]';

const CHOSEN = '[role="tab"][aria-selected="true"], [role="option"][aria-selected="true"]';

const isOnControl = (): boolean => {
  const focused = document.activeElement;
  return focused?.matches(CONTROLS) === true && !focused.matches(CHOSEN);
};

/** Whether the focus is on something that Enter would press. */
export function useIsOnControl(): boolean {
  const [is, setIs] = useState(isOnControl);
  useEffect(() => {
    const look = () => setIs(isOnControl());
    // The focus is between two elements while it leaves one.
    const lookSoon = () => queueMicrotask(look);
    document.addEventListener('focusin', look);
    // A control that goes away while it has the focus says nothing: the key that comes next finds out.
    document.addEventListener('keydown', look, true);
    document.addEventListener('focusout', lookSoon);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('keydown', look, true);
      document.removeEventListener('focusout', lookSoon);
    };
  }, []);
  return is;
}
