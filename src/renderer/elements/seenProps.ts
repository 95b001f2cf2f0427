import { shownName } from '../../shared/shownName.ts';

/** The attributes of an element that are read as a text, on the page or aloud. */
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

/** The children of a field are what a person writes in: they are left as they were written. */
const FIELDS = new Set<unknown>(['textarea', 'input']);

/**
 * The properties of an element as they are read: a text in them shows every character that would turn or hide what stands there. Of a
 * component only the children are: what it does with a `title` is its own affair, and may be to put it into a field, which would save it
 * changed. A component of another library draws its attributes with React's own elements, and is given them by {@link shownAttributes}.
 */
export function seenProps<Props>(type: unknown, props: Props): Props {
  if (typeof props !== 'object' || props === null) return props;
  const shown = typeof type === 'string' ? shownAttributes(props) : props;
  const { children } = props as { children?: unknown };
  const seen = FIELDS.has(type) ? children : seenText(children);
  return seen === children ? shown : { ...shown, children: seen };
}

/** The properties with every attribute that is read shown as {@link shownName} shows it, and everything else as it is. */
export function shownAttributes<Props extends object>(props: Props): Props {
  let shown = props;
  for (const name of SHOWN_ATTRIBUTES) {
    const value = (props as Record<string, unknown>)[name];
    if (typeof value !== 'string') continue;
    const next = shownName(value);
    if (next !== value) shown = { ...shown, [name]: next };
  }
  return shown;
}

/** A text, or texts among elements in lists of any depth; the same value where nothing in it is changed. */
function seenText(value: unknown): unknown {
  if (typeof value === 'string') return shownName(value);
  if (!Array.isArray(value)) return value;
  const next = value.map(seenText);
  return next.some((each, index) => each !== value[index]) ? next : value;
}
