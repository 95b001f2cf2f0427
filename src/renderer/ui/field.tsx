import { Field as BaseField } from '@base-ui/react/field';
import { NumberField } from '@base-ui/react/number-field';
import { type ComponentPropsWithRef, type KeyboardEventHandler, type ReactNode, useRef } from 'react';
import { safeAttributes } from '../safeText/safeProps.ts';
import { Kbd } from './button.tsx';
import { FailGlyph } from './glyphs.tsx';

export interface FieldProps {
  label: ReactNode;
  /** A short note at the right end of the label: a unit, "optional", "found". */
  hint?: ReactNode;
  /** Names field and rule: "Length: 4, 6 or 8 seconds." */
  error?: string | undefined;
  /** Disables the whole field. */
  disabled?: boolean;
  className?: string;
  children: ReactNode;
}

/** A label with its control and error, which name and describe every input of this library inside. */
export function Field({ label, hint, error, disabled, className, children }: FieldProps) {
  return (
    <BaseField.Root className={`field ${className ?? ''}`} invalid={Boolean(error)} disabled={disabled}>
      <BaseField.Label className="lab" nativeLabel={false} render={<span />}>
        {label}
        {hint && <span className="t3">{hint}</span>}
      </BaseField.Label>
      {children}
      {error && (
        <BaseField.Error match className="err" render={<p />}>
          <FailGlyph />
          <span>{error}</span>
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

/** Ignores keys while an input method composes a word: Chrome on a Mac reports the Enter that ends the word, arrows and Escape. */
const outsideWords = <Box,>(onKeyDown: KeyboardEventHandler<Box> | undefined): KeyboardEventHandler<Box> | undefined =>
  onKeyDown && ((event) => !event.nativeEvent.isComposing && onKeyDown(event));

export interface TextInputProps extends Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'value'> {
  value: string;
  onValue: (value: string) => void;
  /** Monospaced: addresses, ids, paths. */
  mono?: boolean;
  /** Content of the box before and after the text. */
  before?: ReactNode;
  after?: ReactNode;
}

/** One line of text. Needs `aria-label` outside a {@link Field}. */
export function TextInput(props: TextInputProps) {
  const { value, onValue, mono, before, after, className, style, onKeyDown, ...rest } = props;
  return (
    <span className={`in ${className ?? ''}`} style={style}>
      {before}
      <BaseField.Control
        {...safeAttributes(rest)}
        onKeyDown={outsideWords(onKeyDown)}
        className={mono ? 'grow mono' : 'grow'}
        value={value}
        onValueChange={(next) => onValue(next)}
        spellCheck={rest.spellCheck ?? !mono}
      />
      {after}
    </span>
  );
}

export interface TextAreaProps extends Omit<ComponentPropsWithRef<'textarea'>, 'onChange' | 'value'> {
  value: string;
  onValue: (value: string) => void;
}

/** Several lines; grows with its text up to its `max-height`. */
export function TextArea({ value, onValue, className, onKeyDown, ...rest }: TextAreaProps) {
  return (
    <BaseField.Control
      render={<textarea {...rest} onKeyDown={outsideWords(onKeyDown)} />}
      className={`area ${className ?? ''}`}
      value={value}
      onValueChange={(next) => onValue(next)}
    />
  );
}

export interface NumberInputProps {
  /** `null` if empty. */
  value: number | null;
  onValue: (value: number | null) => void;
  /** Limits for arrow keys; typed numbers may be outside, and then the field names the rule. */
  min?: number;
  max?: number;
  step?: number;
  /** Unit behind the figure. */
  unit?: ReactNode;
  kbd?: string;
  placeholder?: string;
  format?: Intl.NumberFormatOptions;
  'aria-label'?: string;
}

/** A number with thousands separators; arrow keys step, with Shift by ten. */
export function NumberInput({ value, onValue, unit, kbd, placeholder, format, ...rest }: NumberInputProps) {
  const { 'aria-label': label, ...range } = rest;
  const isEdited = useRef(false);
  const change = (next: number | null, details: NumberField.Root.ChangeEventDetails) => {
    // The number may have more digits than are shown: passing through the field must not round it.
    if (details.reason === 'input-blur' && !isEdited.current) return details.cancel();
    isEdited.current = true;
    onValue(next);
  };
  return (
    <NumberField.Root
      {...range}
      value={value}
      onValueChange={change}
      allowOutOfRange
      locale="en-US"
      format={format ?? { maximumFractionDigits: 0 }}
    >
      <NumberField.Group className="in num">
        <NumberField.Input
          className="grow r"
          onFocus={() => {
            isEdited.current = false;
          }}
          {...safeAttributes({ placeholder, 'aria-label': label })}
        />
        {unit && <span className="u">{unit}</span>}
        {kbd && <Kbd>{kbd}</Kbd>}
      </NumberField.Group>
    </NumberField.Root>
  );
}
