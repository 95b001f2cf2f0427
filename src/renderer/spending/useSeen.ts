import { useEffect, useState } from 'react';

/** A price that appeared less than this ago has not been seen. */
export const LOOK_MS = 1_000;

/**
 * Whether a changed price has been visible long enough to be seen. Undefined is not read yet; empty means no price, where there is nothing
 * to see.
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
