import { useEffect, useState } from 'react';

/** What has come onto the screen a moment ago was seen by nobody. */
export const LOOK_MS = 1_000;

/** Whether a price has stood there long enough to be seen, after one that it took the place of. */
export function useSeen(price: string | undefined): boolean {
  const [seen, setSeen] = useState(price);
  const isFirst = seen === undefined;
  useEffect(() => {
    if (isFirst) return setSeen(price);
    const timer = setTimeout(() => setSeen(price), LOOK_MS);
    return () => clearTimeout(timer);
  }, [price, isFirst]);
  return isFirst || price === seen;
}
