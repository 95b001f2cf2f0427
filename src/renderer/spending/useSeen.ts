import { useEffect, useState } from 'react';

/** What has come onto the screen a moment ago was seen by nobody. */
export const LOOK_MS = 1_000;

/**
 * Whether a price has stood there long enough to be seen, after one that it took the place of. Undefined is one that is not read; empty is
 * none at all, which there is nothing of to be seen.
 */
export function useSeen(price: string | undefined): boolean {
  const [seen, setSeen] = useState(price);
  const isAtOnce = seen === undefined || price === '';
  useEffect(() => {
    if (isAtOnce) return setSeen(price);
    const timer = setTimeout(() => setSeen(price), LOOK_MS);
    return () => clearTimeout(timer);
  }, [price, isAtOnce]);
  return isAtOnce || price === seen;
}
