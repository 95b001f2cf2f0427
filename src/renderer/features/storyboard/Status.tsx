import type { ReactNode } from 'react';
import styles from './cards.module.css';

interface StatusProps {
  mark?: ReactNode;
  text: string;
  /** Nothing has to be done about it. */
  isQuiet?: boolean;
  /** What can be done about it. */
  children?: ReactNode;
}

/** A line about the film; what does not fit is shown on hover. */
export const Status = ({ mark, text, isQuiet, children }: StatusProps) => (
  <div className={styles.boardStatus} role="status">
    {mark}
    <span className={isQuiet ? 't2 cut' : 'cut'} title={text}>
      {text}
    </span>
    {children}
  </div>
);
