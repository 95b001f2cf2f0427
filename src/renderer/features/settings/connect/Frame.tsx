import type { ReactNode } from 'react';
import styles from './connect.module.css';
import type { ConnectHandle } from './useConnect.ts';

export interface PartProps {
  handle: ConnectHandle;
  onLeave: () => void;
}

interface FrameProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
  /** The buttons: the next step first, the way back last. */
  actions: ReactNode;
}

export const Frame = ({ title, lead, children, actions }: FrameProps) => (
  <>
    <div>
      <h1>{title}</h1>
      <p className="t2">{lead}</p>
    </div>
    {children}
    <div className={styles.actions}>{actions}</div>
  </>
);
