import type { CastMember } from './cast.ts';

export interface Mention {
  /** The index of its `@`; the length includes it. */
  at: number;
  length: number;
  member: CastMember;
}

/**
 * The members named in a text, in its order. The longest fitting name wins, case is ignored. An `@` within a word (an address) or before an
 * unknown name is plain text.
 */
export function mentionsOf(text: string, cast: readonly CastMember[]): Mention[] {
  const named = cast.filter(({ name }) => name.trim() !== '');
  const byLength = named.toSorted((a, b) => b.name.trim().length - a.name.trim().length);
  const found: Mention[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (isWordCharacter(text[at - 1])) continue;
    const member = byLength.find(({ name }) => startsWithName(text, at + 1, name.trim()));
    if (member) found.push({ at, length: member.name.trim().length + 1, member });
  }
  return found;
}

function startsWithName(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  return text.slice(at, end).toLowerCase() === name.toLowerCase() && !isWordCharacter(text[end]);
}

/** A cased letter or a digit. Scripts without cases have no spaces, so a name may end anywhere in them. */
function isWordCharacter(sign: string | undefined): boolean {
  if (sign === undefined) return false;
  return sign.toLowerCase() !== sign.toUpperCase() || (sign >= '0' && sign <= '9');
}

/** The text as it is sent: names without their `@`. */
export function withoutMentionSigns(text: string, mentions: readonly Mention[]): string {
  const starts = [0, ...mentions.map(({ at }) => at + 1)];
  return starts.map((start, index) => text.slice(start, mentions[index]?.at)).join('');
}

/** The text with every mention of a member written with its new name. */
export function withRenamed(text: string, cast: readonly CastMember[], memberId: string, name: string): string {
  const mentions = mentionsOf(text, cast).filter(({ member }) => member.id === memberId);
  return mentions.reduceRight((out, { at, length }) => `${out.slice(0, at)}@${name}${out.slice(at + length)}`, text);
}

/** The name being typed before the caret: the index of its `@`, and the letters so far. */
export function typedName(text: string, caret: number): { at: number; typed: string } | undefined {
  const at = text.lastIndexOf('@', caret - 1);
  if (at < 0 || isWordCharacter(text[at - 1])) return undefined;
  const typed = text.slice(at + 1, caret);
  return typed.length > 60 || typed.includes('\n') ? undefined : { at, typed };
}
