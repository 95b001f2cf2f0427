import type { ComponentProps, ReactNode } from 'react';
import { Panel, Refusal } from '../../ui/index.ts';
import styles from './settings.module.css';

interface SettingsSectionProps {
  label: string;
  /** Text beside the title; `bar` adds buttons there. */
  note?: string;
  bar?: ReactNode;
  refusal?: string | undefined;
  children: ReactNode;
}

/** A section with one column of blocks. */
export function SettingsSection({ label, note, bar, refusal, children }: SettingsSectionProps) {
  return (
    <Panel label={label} side="centre">
      <div className="bar">
        <h2>{label}</h2>
        {note && <span className="t3 cut">{note}</span>}
        <span className="grow" />
        {bar}
      </div>
      <div className={`scroll ${styles.set}`}>
        <Refusal text={refusal} />
        {children}
      </div>
    </Panel>
  );
}

/** A scrollable text that can be read by keyboard. */
export const LongText = (props: ComponentProps<'section'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is read by keyboard.
  <section className={styles.wire} tabIndex={0} translate="no" {...props} />
);

interface GroupProps {
  title: string;
  text?: string;
  /** Why a change in this block was refused. */
  refusal?: string | undefined;
  children?: ReactNode;
}

/** A block of the form: its topic at the left, its fields at the right. */
export function Group({ title, text, refusal, children }: GroupProps) {
  return (
    <section className={styles.fs} aria-label={title}>
      <div className={styles.fl}>
        <h2>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      <div className={styles.fields}>
        {children}
        <Refusal text={refusal} />
      </div>
    </section>
  );
}
