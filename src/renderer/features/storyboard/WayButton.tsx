import type { ReactNode } from 'react';
import { Kbd } from '../../ui/index.ts';

interface WayButtonProps {
  title: string;
  /** What it comes to: a figure or a price. */
  end: ReactNode;
  hint: string | undefined;
  /** Why it cannot be done, in place of its text. */
  off: string | undefined;
  /** It is the one that the button below makes; undefined where it is done at once. */
  isChosen?: boolean | undefined;
  onClick: () => void;
  children?: string;
}

/** A way out, in a list of class `ways`. */
export const WayButton = ({ title, end, hint, off, isChosen, onClick, children }: WayButtonProps) => (
  <button type="button" className="way" aria-disabled={off !== undefined} aria-pressed={isChosen} onClick={onClick}>
    <span className="row">
      <b className="grow">{title}</b>
      {end}
      {hint && <Kbd>{hint}</Kbd>}
    </span>
    {(off ?? children) && <span className="t2">{off ?? children}</span>}
  </button>
);
