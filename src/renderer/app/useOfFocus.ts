import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** What `look` finds of the focus, whenever it has moved. */
function useOfFocus(look: () => boolean): boolean {
  const latest = useRef(look);
  latest.current = look;
  const [is, setIs] = useState(look);
  // Before the paint: what appears with the focus has its keys at once.
  useLayoutEffect(() => {
    const lookNow = () => setIs(latest.current());
    // The focus is between two elements while it leaves one.
    const lookSoon = () => queueMicrotask(lookNow);
    lookNow();
    document.addEventListener('focusin', lookNow);
    // A control that goes away while it has the focus says nothing: the key that comes next finds out.
    document.addEventListener('keydown', lookNow, true);
    document.addEventListener('focusout', lookSoon);
    return () => {
      document.removeEventListener('focusin', lookNow);
      document.removeEventListener('keydown', lookNow, true);
      document.removeEventListener('focusout', lookSoon);
    };
  }, []);
  return is;
}

/** Whether the focus is in a part of the page. React's own `onBlur` says nothing of a control that it takes away under the focus. */
export const useHasFocus = (place: RefObject<Element | null>): boolean =>
  useOfFocus(() => place.current?.contains(document.activeElement) === true);
