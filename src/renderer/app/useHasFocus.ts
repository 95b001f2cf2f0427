import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react';

/** Whether the focus is in a part of the page. React's own `onBlur` says nothing of a control that it takes away under the focus. */
export function useHasFocus(place: RefObject<Element | null>): boolean {
  const look = () => place.current?.contains(document.activeElement) === true;
  const [is, setIs] = useState(look);
  const lookNow = useEffectEvent(() => setIs(look()));
  // Before the paint: what appears with the focus has its keys at once.
  useLayoutEffect(() => {
    const hear = () => lookNow();
    // The focus is between two elements while it leaves one.
    const lookSoon = () => queueMicrotask(hear);
    hear();
    document.addEventListener('focusin', hear);
    // A control that goes away while it has the focus says nothing: the key that comes next finds out.
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
