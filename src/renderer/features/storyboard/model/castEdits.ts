import type { BoardContent } from '../../../../shared/board.ts';
import type { CastBox, CastMember } from '../../../../shared/cast.ts';
import { withRenamed } from '../../../../shared/mentions.ts';
import { t } from '../../../../shared/texts.ts';
import type { ContentEdit } from './pending.ts';
import type { BoardEdit } from './shots.ts';

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

/** A name that nobody in the cast has: `New`, `New 2` … */
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

export const patchMember = (id: string, patch: Partial<CastMember>): ContentEdit =>
  onCast((cast) => cast.map((member) => (member.id === id ? { ...member, ...patch } : member)));

/** Puts a picture into a member's sheet; `undefined` takes the sheet out. */
export const setSheet = (id: string, index: number, assetId: string | undefined): ContentEdit =>
  onCast((cast) =>
    cast.map((member) => {
      if (member.id !== id) return member;
      const { label } = member.sheets[index] ?? {};
      const sheet = assetId === undefined ? [] : [{ assetId, ...(label === undefined ? {} : { label }) }];
      return { ...member, sheets: member.sheets.toSpliced(index, 1, ...sheet) };
    }),
  );

/** Where a member is seen in the take that plays for a shot; `undefined` takes its box away. */
export const placeBox =
  (shotId: string, memberId: string, box: CastBox | undefined): BoardEdit =>
  (shots) =>
    shots.map((shot) => {
      if (shot.id !== shotId) return shot;
      const { [memberId]: _, ...others } = shot.castBoxes ?? {};
      return { ...shot, castBoxes: box ? { ...others, [memberId]: box } : others };
    });

/** Gives a member a name, also in the words of every shot that names it: one step. */
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
  if (wanted.includes('@') || wanted.includes('\n')) return t`Name: must have no @ and no line break.`;
  const other = cast.find((member) => member.id !== id && member.name.trim().toLowerCase() === wanted);
  return other && t`Name: ${other.name.trim()} is in the cast already.`;
}
