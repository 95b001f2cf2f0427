import type { ReactNode } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { Button, Field, Kbd, Segmented } from '../../ui/index.ts';
import styles from './cards.module.css';

interface StatusProps {
  mark?: ReactNode;
  text: string;
  /** Whether no action is needed. */
  isQuiet?: boolean;
  /** Actions. */
  children?: ReactNode;
}

/** A line about the film; overflowing text shows on hover. */
export const Status = ({ mark, text, isQuiet, children }: StatusProps) => (
  <div className={`row grow ${styles.boardStatus}`} role="status">
    {mark}
    <span className={isQuiet ? 't2 cut' : 'cut'} title={text}>
      {text}
    </span>
    {children}
  </div>
);

interface WayButtonProps {
  title: string;
  /** The result of the option: a figure or a price. */
  end: ReactNode;
  hint: string | undefined;
  /** Why it is not possible, shown instead of its text. */
  off: string | undefined;
  /** Whether it is the option of the button below; undefined if it runs at once. */
  isChosen?: boolean | undefined;
  onClick: () => void;
  children?: string;
}

/** An option in a list of class `ways`. */
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

interface FreeBarProps {
  /** The result, in words. */
  what: string;
  label: string;
  kbd: string;
  off?: string | undefined;
  onDo: () => void;
}

/** The main button of a panel that costs nothing. */
export const FreeBar = ({ what, label, kbd, off, onDo }: FreeBarProps) => (
  <div className="sendbar">
    <div className="row between">
      <span className="t2">{what}</span>
      <span className="price">{t`Free`}</span>
    </div>
    <div className="row">
      <Button variant="primary" className="grow" kbd={kbd} off={off} onClick={onDo}>
        {label}
      </Button>
    </div>
  </div>
);

interface ChoiceProps<Value extends string> {
  label: string;
  hint?: string;
  options: readonly Value[];
  /** Labels of options that are not their own label. */
  words?: Partial<Record<Value, string>>;
  value: Value | undefined;
  off?: boolean;
  onValue: (value: Value) => void;
  /** Content under the options, such as why they are off. */
  children?: React.ReactNode;
}

/** A few options side by side, with a label. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, hint, options, words, value, off = false, onValue, children } = props;
  return (
    <Field label={label} hint={hint} disabled={off}>
      <Segmented
        full
        aria-label={label}
        disabled={off}
        options={options.map((one) => ({ value: one, label: words?.[one] ?? one }))}
        value={value ?? null}
        onValue={onValue}
      />
      {children}
    </Field>
  );
}
