import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { typedName } from '../../shared/board/mentions.ts';

/** Suggestions of a text field after an `@`: the focus stays in the field, whose keys move in the list. */

export interface Offered {
  id: string;
  name: string;
  note: string;
}

const MAX_OFFERED = 6;

interface OfferProps<Item extends Offered> {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  items: readonly Item[];
  /** The text that replaces the sign and what was typed after it. */
  wordsFor: (item: Item) => string;
  onValue: (text: string) => void;
}

/** The field's handlers, and the list while there are suggestions. */
export function useOffer<Item extends Offered>({ field, text, items, wordsFor, onValue }: OfferProps<Item>) {
  const [caret, setCaret] = useState<number>();
  const [index, setIndex] = useState(0);
  const listId = useId();
  const nextCaret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return;
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  });
  const typed = caret === undefined ? undefined : typedName(text, caret);
  const offered = typed ? fitting(items, typed.typed) : [];
  const at = Math.min(index, Math.max(0, offered.length - 1));
  const close = () => setCaret(undefined);
  const accept = (item: Item | undefined) => {
    if (!item || !typed) return;
    const rest = text.slice(typed.at + 1 + typed.typed.length);
    const hasSpace = rest.startsWith(' ');
    const words = `${wordsFor(item)}${hasSpace ? '' : ' '}`;
    nextCaret.current = typed.at + words.length + (hasSpace ? 1 : 0);
    onValue(`${text.slice(0, typed.at)}${words}${rest}`);
    close();
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setIndex((at + 1) % offered.length),
    ArrowUp: () => setIndex((at + offered.length - 1) % offered.length),
    Enter: () => accept(offered[at]),
    Tab: () => accept(offered[at]),
    Escape: close,
  };
  const isOpen = offered.length > 0;
  return {
    list: isOpen ? { id: listId, items: offered, chosen: at, onPick: accept } : undefined,
    field: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? listId : undefined,
      'aria-activedescendant': isOpen ? `${listId}-${at}` : undefined,
      onBlur: close,
      onSelect: () => {
        const next = field.current?.selectionStart ?? 0;
        setCaret(next);
        if (next !== caret) setIndex(0);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
        if (!isOpen || hasModifier || !Object.hasOwn(keys, event.key)) return;
        keys[event.key]?.();
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

/** No suggestions once a whole name is typed. */
function fitting<Item extends Offered>(items: readonly Item[], typed: string): Item[] {
  const wanted = typed.toLowerCase();
  const nameOf = ({ name }: Item) => name.trim().toLowerCase();
  if (wanted.trim() !== '' && items.some((item) => nameOf(item) === wanted.trim())) return [];
  return items.filter((item) => nameOf(item) !== '' && nameOf(item).includes(wanted)).slice(0, MAX_OFFERED);
}

interface OfferListProps<Item extends Offered> {
  label: string;
  list: { id: string; items: readonly Item[]; chosen: number; onPick: (item: Item) => void };
  /** Opens above the field, for fields at the bottom of the page. */
  above?: boolean;
}

export const OfferList = <Item extends Offered>({ label, list, above }: OfferListProps<Item>) => (
  <div className={`menu offer ${above ? 'above' : ''}`} role="listbox" id={list.id} aria-label={label}>
    {list.items.map((item, index) => (
      <div
        key={item.id}
        id={`${list.id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === list.chosen}
        className={`mi ${index === list.chosen ? 'is-on' : ''}`}
        onMouseDown={(event) => {
          event.preventDefault();
          list.onPick(item);
        }}
      >
        <span className="cut">{item.name.trim()}</span>
        <span className="t3 note-end cut">{item.note}</span>
      </div>
    ))}
  </div>
);
