import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Shot } from '../../../../shared/board.ts';
import type { CastMember } from '../../../../shared/cast.ts';
import { mentionsOf, typedName } from '../../../../shared/mentions.ts';
import { shareSlots } from '../../../../shared/slotSharing.ts';
import { TextArea } from '../../../ui/index.ts';
import './names.css';

interface PromptProps {
  label: string;
  shot: Shot;
  cast: readonly CastMember[];
  onValue: (prompt: string) => void;
}

const MAX_OFFERED = 6;

/** The words of a shot. `@` offers the cast; who is named stands on a plate, dashed if no picture of it goes. */
export function PromptWithNames({ label, shot, cast, onValue }: PromptProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const plates = useRef<HTMLDivElement>(null);
  const listId = useId();
  const offer = useOffer(shot.prompt, cast);
  const nextCaret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return;
    area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  });
  const accept = (member: CastMember | undefined) => {
    if (!member || !offer.typed) return;
    const { at, typed } = offer.typed;
    const rest = shot.prompt.slice(at + 1 + typed.length);
    const name = `@${member.name.trim()}${rest.startsWith(' ') ? '' : ' '}`;
    nextCaret.current = at + name.length + (rest.startsWith(' ') ? 1 : 0);
    onValue(`${shot.prompt.slice(0, at)}${name}${rest}`);
    offer.close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isDone = offer.onKey(event.key, accept);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCaret = () => offer.look(area.current?.selectionStart ?? 0);
  const isOpen = offer.members.length > 0;
  return (
    <div className="names-prompt">
      <div className="area prompt plates" aria-hidden="true" ref={plates}>
        <Plates shot={shot} cast={cast} />
      </div>
      <TextArea
        ref={area}
        className="prompt"
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${offer.index}` : undefined}
        placeholder="What the shot shows: subject, place, light, lens, movement."
        value={shot.prompt}
        onValue={onValue}
        onSelect={onCaret}
        onKeyDown={onKeyDown}
        onBlur={offer.close}
        onScroll={(event) => plates.current?.scrollTo(0, event.currentTarget.scrollTop)}
      />
      {isOpen && <Offer id={listId} members={offer.members} chosen={offer.index} onPick={accept} />}
    </div>
  );
}

interface OfferProps {
  id: string;
  members: readonly CastMember[];
  chosen: number;
  onPick: (member: CastMember) => void;
}

/** The keys are those of the field, which keeps the focus. */
const Offer = ({ id, members, chosen, onPick }: OfferProps) => (
  <div className="menu names-offer" role="listbox" id={id} aria-label="Of the cast">
    {members.map((member, index) => (
      <div
        key={member.id}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === chosen}
        className={`mi ${index === chosen ? 'is-on' : ''}`}
        onMouseDown={(event) => {
          event.preventDefault();
          onPick(member);
        }}
      >
        <span className="cut">{member.name.trim()}</span>
        <span className="t3 note-end cut">{member.words.trim() || member.kind}</span>
      </div>
    ))}
  </div>
);

/** Who can be meant by what is being typed behind an `@`. */
function useOffer(text: string, cast: readonly CastMember[]) {
  const [caret, setCaret] = useState<number>();
  const [index, setIndex] = useState(0);
  const typed = caret === undefined ? undefined : typedName(text, caret);
  const wanted = typed?.typed.toLowerCase() ?? '';
  const fits = ({ name }: CastMember) => name.trim() !== '' && name.trim().toLowerCase().includes(wanted);
  const isWhole = cast.some(({ name }) => name.trim().toLowerCase() === wanted.trim() && wanted.trim() !== '');
  const members = typed && !isWhole ? cast.filter(fits).slice(0, MAX_OFFERED) : [];
  const at = Math.min(index, Math.max(0, members.length - 1));
  const close = () => setCaret(undefined);
  return {
    typed,
    members,
    index: at,
    close,
    look(next: number) {
      setCaret(next);
      if (next !== caret) setIndex(0);
    },
    /** Whether the key was for the list. */
    onKey(key: string, accept: (member: CastMember | undefined) => void): boolean {
      if (members.length === 0) return false;
      if (key === 'ArrowDown') setIndex((at + 1) % members.length);
      else if (key === 'ArrowUp') setIndex((at + members.length - 1) % members.length);
      else if (key === 'Enter' || key === 'Tab') accept(members[at]);
      else if (key === 'Escape') close();
      else return false;
      return true;
    },
  };
}

/** The same words behind the field, with a plate under each name. */
function Plates({ shot, cast }: { shot: Shot; cast: readonly CastMember[] }) {
  const mentions = mentionsOf(shot.prompt, cast);
  const shown = new Set(
    shareSlots(shot, cast).shares.flatMap(({ member, slot }) => (slot === undefined ? [] : [member.id])),
  );
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { at, length, member } of mentions) {
    parts.push(shot.prompt.slice(from, at));
    parts.push(
      <span key={at} className={shown.has(member.id) ? 'name' : 'name is-out'}>
        {shot.prompt.slice(at, at + length)}
      </span>,
    );
    from = at + length;
  }
  // A last line that is empty has its height as in the field.
  return [...parts, `${shot.prompt.slice(from)}\u200b`];
}
