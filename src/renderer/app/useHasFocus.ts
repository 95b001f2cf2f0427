import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react';

/** Whether the focus is in a part of the page. React's `onBlur` does not report a focused control that is removed. */
export function useHasFocus(place: RefObject<Element | null>): boolean {
  const look = () => place.current?.contains(document.activeElement) === true;
  const [is, setIs] = useState(look);
  const lookNow = useEffectEvent(() => setIs(look()));
  // Before the paint, so that what appears with the focus has its shortcuts at once.
  useLayoutEffect(() => {
    const hear = () => lookNow();
    // During `focusout` the focus is between two elements.
    const lookSoon = () => queueMicrotask(hear);
    hear();
    document.addEventListener('focusin', hear);
    // A focused control that is removed fires no event; the next key press finds out.
    document.addEventListener('keydown', hear, true);
    document.addEventListener('focusout', lookSoon);
    return () => {
      document.removeEventListener('focusin', hear);
      document.removeEventListener('keydown', hear, true);
      document.removeEventListener('focusout', lookSoon);
    };
  }, []);
  return is;
}
