import type { BoardContent } from '../../../../shared/board/board.ts';
import { type CastBox, type CastMember, MAX_CAST_REFERENCES } from '../../../../shared/board/cast.ts';
import { withRenamed } from '../../../../shared/board/mentions.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { ContentEdit } from './pending.ts';
import { type BoardEdit, onShot } from './shots.ts';

/** Changes of a film's cast, as pure functions. */

const onCast =
  (change: (cast: CastMember[]) => CastMember[]): ContentEdit =>
  (content) => ({ ...content, cast: change(content.cast ?? []) });

export const newMember = (id: string, name: string): CastMember => ({
  id,
  name,
  kind: 'person',
  words: '',
  sheets: [],
});

/** An unused name: `New`, `New 2` … */
export function freeName(cast: readonly CastMember[]): string {
  const names = new Set(cast.map(({ name }) => name.trim().toLowerCase()));
  for (let n = 1; ; n++) {
    const name = n === 1 ? t`New` : t`New ${n}`;
    if (!names.has(name.toLowerCase())) return name;
  }
}

export const addMember = (member: CastMember): ContentEdit =>
  onCast((cast) => (cast.some(({ id }) => id === member.id) ? cast : [...cast, member]));

export const removeMember = (id: string): ContentEdit => onCast((cast) => cast.filter((member) => member.id !== id));

const onMember = (id: string, change: (member: CastMember) => CastMember): ContentEdit =>
  onCast((cast) => cast.map((member) => (member.id === id ? change(member) : member)));

export const patchMember = (id: string, patch: Partial<CastMember>): ContentEdit =>
  onMember(id, (member) => ({ ...member, ...patch }));

/**
 * Sets a reference image of a member, replacing the one that was there when it was chosen (`was`), otherwise appending; `undefined` removes
 * that one. A picture that the member already has stays where it is.
 */
export const setCastReference = (id: string, was: string | undefined, assetId: string | undefined): ContentEdit =>
  onMember(id, (member) => withCastReference(member, was, assetId));

function withCastReference(member: CastMember, was: string | undefined, assetId: string | undefined): CastMember {
  const { sheets } = member;
  const at = was === undefined ? -1 : sheets.findIndex((reference) => reference.assetId === was);
  if (assetId === undefined) return at < 0 ? member : { ...member, sheets: sheets.toSpliced(at, 1) };
  if (sheets.some((reference) => reference.assetId === assetId)) return member;
  if (at >= 0)
    return {
      ...member,
      sheets: sheets.map((reference, index) => (index === at ? { ...reference, assetId } : reference)),
    };
  return sheets.length < MAX_CAST_REFERENCES ? { ...member, sheets: [...sheets, { assetId }] } : member;
}

/** Why a picture cannot replace the reference image `was`; undefined if it can. */
export function whyNoCastReference(
  { sheets }: CastMember,
  was: string | undefined,
  assetId: string,
): string | undefined {
  const has = (one: string | undefined) => sheets.some((reference) => reference.assetId === one);
  if (assetId !== was && has(assetId)) return t`This reference is already there.`;
  const isFull = sheets.length >= MAX_CAST_REFERENCES && (was === undefined || !has(was));
  return isFull ? t`No room: three references at most.` : undefined;
}

/** Labels a reference image, wherever it is by now. */
export const labelCastReference = (id: string, assetId: string, label: string): ContentEdit =>
  onMember(id, (member) => ({
    ...member,
    sheets: member.sheets.map((one) => (one.assetId === assetId ? { ...one, label } : one)),
  }));

/** Sets the box of a member in the selected take; `undefined` removes it. */
export const placeBox = (shotId: string, memberId: string, box: CastBox | undefined): BoardEdit =>
  onShot(shotId, (shot) => {
    const { [memberId]: _, ...others } = shot.castBoxes ?? {};
    return { ...shot, castBoxes: box ? { ...others, [memberId]: box } : others };
  });

/** Renames a member, also in the prompt of every shot that mentions it, in one step. */
export const renameMember =
  (id: string, name: string): ContentEdit =>
  (content: BoardContent) => {
    const { cast = [], shots } = content;
    const renamed = shots.map((shot) => {
      const prompt = withRenamed(shot.prompt, cast, id, name);
      return prompt === shot.prompt ? shot : { ...shot, prompt };
    });
    return { ...patchMember(id, { name })(content), shots: renamed };
  };

/** Why a member cannot have this name; undefined if it can. */
export function whyNoName(name: string, id: string, cast: readonly CastMember[]): string | undefined {
  const wanted = name.trim().toLowerCase();
  if (wanted === '') return t`Name: must not be empty.`;
  if (wanted.includes('@') || wanted.includes('\n')) return t`Name: must have no @ or line break.`;
  const other = cast.find((member) => member.id !== id && member.name.trim().toLowerCase() === wanted);
  return other && t`Name: ${other.name.trim()} is in the cast already.`;
}
