import { type UIEvent, useRef } from 'react';
import { flagsStart } from '../../../../shared/promptFlags.ts';
import { withinChoices } from '../../../../shared/promptMatrix.ts';
import styles from './panels.module.css';

interface PromptFieldProps {
  value: string;
  onValue: (value: string) => void;
  label: string;
  placeholder: string;
}

/** A prompt whose trailing flags (spec 2.6) stand out: the same text lies under the field, with the flags in their colour. */
export function PromptField({ value, onValue, label, placeholder }: PromptFieldProps) {
  const under = useRef<HTMLDivElement>(null);
  const follow = (event: UIEvent<HTMLTextAreaElement>) => {
    if (under.current) under.current.scrollTop = event.currentTarget.scrollTop;
  };
  const at = flagsStart(value, withinChoices(value));
  return (
    <div className={styles.flagged}>
      <div className={`area ${styles.under}`} aria-hidden="true" ref={under}>
        {value.slice(0, at)}
        <span className={styles.lit}>{value.slice(at)}</span>
        <br />
      </div>
      <textarea
        className="area"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onScroll={follow}
        onChange={(event) => onValue(event.target.value)}
        spellCheck
      />
    </div>
  );
}
