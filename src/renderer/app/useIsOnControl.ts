import { useOfFocus } from './useOfFocus.ts';

/** What does something of its own on Enter. The pictures do not, nor do the tab that is open and the shot that is chosen already. */
const CONTROLS = 'button:not(.cell), a, input, select, textarea, [role="option"], [role="menuitem"], [role="slider"]';

const CHOSEN = '[role="tab"][aria-selected="true"], [role="option"][aria-selected="true"]';

const isOnControl = (): boolean => {
  const focused = document.activeElement;
  return focused?.matches(CONTROLS) === true && !focused.matches(CHOSEN);
};

/** Whether the focus is on something that Enter would press. */
export const useIsOnControl = (): boolean => useOfFocus(isOnControl);
