import { safeName } from '../../shared/text/safeText.ts';

/** Attributes that a person sees or hears. */
const SHOWN_ATTRIBUTES = [
  'title',
  'alt',
  'label',
  'placeholder',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
] as const;

/** Text that a person types is left unchanged. */
const FIELDS: readonly unknown[] = ['textarea', 'input'];

/**
 * The properties with every hidden or direction-changing character made visible. For a component only the children are changed: it may put
 * a `title` into a field, which would then save the changed text. Library components use React's own runtime and need {@link
 * safeAttributes}.
 */
export function safeProps<Props>(type: unknown, props: Props): Props {
  if (typeof props !== 'object' || props === null) return props;
  const shown = typeof type === 'string' ? safeAttributes(props) : props;
  const { children } = props as { children?: unknown };
  const seen = FIELDS.includes(type) ? children : safeChildren(children);
  return seen === children ? shown : { ...shown, children: seen };
}

/** The properties with every visible or audible attribute made safe by {@link safeName}. */
export function safeAttributes<Props extends object>(props: Props): Props {
  let shown = props;
  for (const name of SHOWN_ATTRIBUTES) {
    const value = (props as Record<string, unknown>)[name];
    if (typeof value !== 'string') continue;
    const next = safeName(value);
    if (next !== value) shown = { ...shown, [name]: next };
  }
  return shown;
}

/** Returns the same value if nothing changes. */
function safeChildren(value: unknown): unknown {
  if (typeof value === 'string') return safeName(value);
  if (!Array.isArray(value)) return value;
  const next = value.map(safeChildren);
  return next.some((each, index) => each !== value[index]) ? next : value;
}
