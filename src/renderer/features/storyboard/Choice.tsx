import { Field, Segmented } from '../../ui/index.ts';

interface ChoiceProps<Value extends string> {
  label: string;
  hint?: string;
  options: readonly Value[];
  /** Of the options that are not their own words. */
  words?: Partial<Record<Value, string>>;
  value: Value | undefined;
  off?: boolean;
  onValue: (value: Value) => void;
  /** Under the options, such as why they are off. */
  children?: React.ReactNode;
}

/** A few values side by side, under their name. */
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
