import type { ReactNode } from 'react';
import styles from './gateways.module.css';

interface RowProps {
  name: string;
  value?: ReactNode;
  note?: ReactNode;
  /** At the end of the line. */
  action?: ReactNode;
  children?: ReactNode;
}

/** One line of a gateway's page: what it is, what is set, and what can be done. */
export const Row = ({ name, value, note, action, children }: RowProps) => (
  <section className={styles.line} aria-label={name}>
    <span className="t2">{name}</span>
    <div>
      {value && <p>{value}</p>}
      {note && <p className="t3">{note}</p>}
      {children}
    </div>
    {action}
  </section>
);
