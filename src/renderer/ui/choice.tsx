import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Radio as BaseRadio } from '@base-ui/react/radio';
import { RadioGroup as BaseRadioGroup } from '@base-ui/react/radio-group';
import { Select as BaseSelect } from '@base-ui/react/select';
import { Slider as BaseSlider } from '@base-ui/react/slider';
import { Switch } from '@base-ui/react/switch';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { Check, ChevronDown, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { formatCount, t } from '../../shared/text/texts.ts';
import { safeAttributes } from '../safeText/safeProps.ts';
import { Icon } from './glyphs.tsx';

export interface Option<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Second, quieter text. */
  note?: ReactNode;
  /** Visible but not selectable; the field says why. */
  off?: boolean;
  /** Its shortcut, as `Kbd`. */
  kbd?: ReactNode;
  /** Accessible name, if the label is an icon. */
  name?: string;
}

interface ChoiceProps<Value extends string> {
  options: readonly Option<Value>[];
  value: Value | null;
  onValue: (value: Value) => void;
  'aria-label'?: string;
  disabled?: boolean;
}

export interface SegmentedProps<Value extends string> extends ChoiceProps<Value> {
  /** Fills the width in equal parts. */
  full?: boolean;
  small?: boolean;
}

/** Up to five fixed options, as radio buttons side by side. A forbidden option stays visible, off. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { options, value, onValue, full, small, disabled, 'aria-label': label } = props;
  return (
    <BaseRadioGroup
      className={`seg ${full ? 'full' : ''} ${small ? 'sm' : ''}`}
      value={value ?? ''}
      onValueChange={(next) => onValue(next as Value)}
      {...safeAttributes({ 'aria-label': label })}
      disabled={disabled}
    >
      {options.map((option) => (
        <BaseRadio.Root
          key={option.value}
          value={option.value}
          disabled={option.off}
          // Set even if the text is visible: inside a field, the field's label would name every option.
          {...safeAttributes({
            'aria-label': option.name ?? (typeof option.label === 'string' ? option.label : undefined),
            title: option.name,
          })}
          nativeButton
          render={<button type="button" />}
        >
          {option.label}
          {option.kbd}
        </BaseRadio.Root>
      ))}
    </BaseRadioGroup>
  );
}

/** One option of many; opens a list with type-ahead. `null` shows the placeholder. */
export function Select<Value extends string>(props: ChoiceProps<Value> & { placeholder?: string }) {
  const { options, value, onValue, placeholder, disabled, 'aria-label': label } = props;
  return (
    <BaseSelect.Root
      value={value}
      onValueChange={(next) => next !== null && onValue(next as Value)}
      // The library renders the selected item itself, even one that is not an option.
      items={[...options, ...(value ? [{ value, label: value }] : [])].map(({ value: own, label: said }) => ({
        value: own,
        label: <>{said}</>,
      }))}
      disabled={disabled}
    >
      <BaseSelect.Trigger className="in" {...safeAttributes({ 'aria-label': label })}>
        <BaseSelect.Value className="cut" {...safeAttributes({ placeholder: placeholder ?? t`Choose` })} />
        <BaseSelect.Icon className="end-icon">
          <Icon of={ChevronDown} />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal render={<section aria-label={t`${label ?? t`Choices`}, open`} />}>
        <BaseSelect.Positioner className="layer" sideOffset={4} alignItemWithTrigger={false}>
          <BaseSelect.Popup className="menu sel-menu">
            {options.map((option) => (
              <BaseSelect.Item key={option.value} value={option.value} disabled={option.off} className="mi">
                <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                {option.note && <span className="t3 note-end">{option.note}</span>}
                <BaseSelect.ItemIndicator className="mark-end">
                  <Icon of={Check} />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}

/** Radio buttons in a column, each with a note at the right. */
export function Radios<Value extends string>(
  props: ChoiceProps<Value> & {
    mono?: boolean /** The note under the label: identifiers are never cut. */;
    tall?: boolean;
  },
) {
  const { options, value, onValue, mono, tall, disabled, 'aria-label': label } = props;
  return (
    <BaseRadioGroup
      className={tall ? 'radios tall' : 'radios'}
      value={value ?? ''}
      onValueChange={(next) => onValue(next as Value)}
      {...safeAttributes({ 'aria-label': label })}
      disabled={disabled}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: Base UI renders the hidden input inside the radio.
        <label key={option.value} className={`row pick ${option.off ? 'off' : ''}`}>
          <BaseRadio.Root value={option.value} disabled={option.off} className="rad" />
          <span className={`cut ${mono ? 'mono' : ''}`}>{option.label}</span>
          {option.note && <span className="t3 cut grow r">{option.note}</span>}
        </label>
      ))}
    </BaseRadioGroup>
  );
}

interface CheckedProps {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  children: ReactNode;
  disabled?: boolean;
}

/** A switch, which takes effect at once. */
export function Toggle({ checked, onChecked, children, disabled }: CheckedProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Base UI renders the hidden input inside the switch.
    <label className="tog">
      <Switch.Root className="tog-track" checked={checked} onCheckedChange={onChecked} disabled={disabled}>
        <Switch.Thumb className="tog-thumb" />
      </Switch.Root>
      {children}
    </label>
  );
}

/** A check box with its label. */
export function Checkbox({ checked, onChecked, children, disabled }: CheckedProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Base UI renders the hidden input inside the check box.
    <label className="row pick">
      <BaseCheckbox.Root className="chk" checked={checked} onCheckedChange={onChecked} disabled={disabled}>
        <BaseCheckbox.Indicator className="chk-mark">
          <Icon of={Check} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      {children}
    </label>
  );
}

export interface SliderProps {
  value: number;
  onValue: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  'aria-label': string;
}

/** A value on a track; arrow keys step. */
export function Slider({ value, onValue, 'aria-label': label, ...range }: SliderProps) {
  return (
    <BaseSlider.Root className="slider" value={value} onValueChange={(next) => onValue(next as number)} {...range}>
      <BaseSlider.Control className="sl-control">
        <BaseSlider.Track className="sl-track">
          <BaseSlider.Indicator className="sl-fill" />
          <BaseSlider.Thumb className="sl-thumb" {...safeAttributes({ 'aria-label': label })} />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  );
}

export interface TabItem<Value extends string> {
  value: Value;
  label: ReactNode;
  count?: number | undefined;
  kbd?: ReactNode;
}

/** A tab bar. `panelId` is the id of the panel that it switches. */
export function Tabs<Value extends string>(props: {
  items: readonly TabItem<Value>[];
  value: Value;
  onValue: (value: Value) => void;
  'aria-label': string;
}) {
  const { root, edges } = useTabsInView(props.value);
  return (
    <BaseTabs.Root
      ref={root}
      value={props.value}
      onValueChange={(next) => props.onValue(next as Value)}
      className={`tabs-root ${edges}`}
    >
      <BaseTabs.List className="tabs" {...safeAttributes({ 'aria-label': props['aria-label'] })} activateOnFocus>
        {props.items.map((item) => (
          <BaseTabs.Tab key={item.value} value={item.value}>
            {item.label} {item.kbd}
            {item.count !== undefined && <span className="c">{formatCount(item.count)}</span>}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
    </BaseTabs.Root>
  );
}

export interface ChipProps {
  children: ReactNode;
  /** Whether the filter is set. */
  on?: boolean;
  onClick?: () => void;
  /** Shows a cross; its accessible name is "Remove" with the chip's text. */
  onRemove?: () => void;
  removeLabel?: string;
}

/** A small filter or value: plain, clickable, or removable. */
export function Chip({ children, on, onClick, onRemove, removeLabel }: ChipProps) {
  const className = on ? 'chip on' : 'chip';
  if (onClick) {
    return (
      <button type="button" className={className} aria-pressed={on ?? false} onClick={onClick}>
        {children}
      </button>
    );
  }
  return (
    <span className={className}>
      {children}
      {onRemove && (
        <button type="button" className="chip-x" aria-label={removeLabel ?? t`Remove`} onClick={onRemove}>
          <X className="i" aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

interface TabsInView {
  root: RefObject<HTMLDivElement | null>;
  /** The edges at which more tabs are hidden; a class of the root. */
  edges: string;
}

/** Keeps the selected tab in view if the bar is too narrow, and knows at which edges tabs are hidden. */
function useTabsInView(value: string): TabsInView {
  const root = useRef<HTMLDivElement>(null);
  const [edges, setEdges] = useState('');
  useEffect(() => {
    const bar = root.current;
    const list = bar?.firstElementChild;
    if (!bar || !list) return;
    const look = () => setEdges(edgesOf(bar));
    const fit = () => {
      showChosen(bar);
      look();
    };
    const wheel = (event: WheelEvent) => {
      // A wheel without a horizontal direction.
      if (event.deltaX === 0) bar.scrollLeft += event.deltaY;
    };
    const observer = new ResizeObserver(fit);
    observer.observe(bar);
    observer.observe(list);
    bar.addEventListener('scroll', look, { passive: true });
    bar.addEventListener('wheel', wheel, { passive: true });
    look();
    return () => {
      observer.disconnect();
      bar.removeEventListener('scroll', look);
      bar.removeEventListener('wheel', wheel);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is chosen, by whatever way.
  useEffect(() => {
    if (root.current) showChosen(root.current);
  }, [value]);
  return { root, edges };
}

const showChosen = (bar: Element): void =>
  bar.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** Below this many pixels no tab is hidden. */
const LEAST = 2;

function edgesOf({ scrollLeft, scrollWidth, clientWidth }: Element): string {
  const before = scrollLeft >= LEAST ? 'more-before' : '';
  const after = scrollWidth - clientWidth - scrollLeft >= LEAST ? 'more-after' : '';
  return `${before} ${after}`.trim();
}
