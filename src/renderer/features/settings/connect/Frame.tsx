import type { FormEvent, ReactNode } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { isFocusFree } from '../../../app/index.ts';
import { Button } from '../../../ui/index.ts';
import styles from './connect.module.css';
import type { ConnectHandle } from './useConnect.ts';

export interface PartProps {
  handle: ConnectHandle;
  onLeave: () => void;
}

interface FrameProps {
  title: string;
  lead: string;
  children: ReactNode;
  /** The next step first. */
  actions: ReactNode;
  onBack?: () => void;
  onSubmit?: (event: FormEvent) => void;
}

/** The button or field that had the focus disappeared with its step. */
const takeFreeFocus = (heading: HTMLElement | null) => {
  if (isFocusFree()) heading?.focus();
};

/** One step: its purpose, its fields or results, the buttons. */
export function Frame({ title, lead, children, actions, onBack, onSubmit }: FrameProps) {
  const Box = onSubmit ? 'form' : 'div';
  return (
    <Box className={styles.inner} {...(onSubmit && { onSubmit })}>
      <div>
        <h1 key={title} ref={takeFreeFocus} tabIndex={-1}>
          {title}
        </h1>
        <p className="t2">{lead}</p>
      </div>
      {children}
      <div className="row wrap">
        {actions}
        {onBack && (
          <>
            <span className="grow" />
            <Button variant="ghost" onClick={onBack}>
              {t`Back`}
            </Button>
          </>
        )}
      </div>
    </Box>
  );
}
