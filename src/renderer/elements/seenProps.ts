import { shownName } from '../../shared/shownName.ts';

/** Of an element, what is read: its text, and the texts that stand for it. */
const READ = ['children', 'title', 'alt', 'label', 'aria-label', 'aria-description', 'aria-valuetext'] as const;

/** What a person writes in is left as it was written. */
const WRITTEN = new Set<unknown>(['textarea', 'input']);

/** The properties of an element as they are read: a text in them shows every character that would turn or hide what stands there. */
export function seenProps<Props>(type: unknown, props: Props): Props {
  if (typeof props !== 'object' || props === null || WRITTEN.has(type)) return props;
  let seen: Record<string, unknown> | undefined;
  for (const name of READ) {
    const value = (props as Record<string, unknown>)[name];
    const next = seenText(value);
    if (next !== value) seen = { ...(seen ?? props), [name]: next };
  }
  return (seen as Props | undefined) ?? props;
}

function seenText(value: unknown): unknown {
  if (typeof value === 'string') return shownName(value);
  if (!Array.isArray(value)) return value;
  const next = value.map((each) => (typeof each === 'string' ? shownName(each) : each));
  return next.some((each, index) => each !== value[index]) ? next : value;
}
