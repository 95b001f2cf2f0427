import { create } from 'zustand';
import type { Preflight, TimelineFormat } from '../../../../shared/film/filmExport.ts';
import { type FilmLoudness, targetOf } from '../../../../shared/film/sound/levels.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import type { CallInput } from '../../../client/index.ts';
import type { FilmPicture, FindingGroups } from './exportView.ts';

/** What is chosen for the next export of a film; it holds while the window lives. */

/** How the film itself leaves; `none` exports the documents alone. */
export type FilmWay = 'join' | 'encode' | 'none';

export interface ExportChoices {
  /** Undefined until it is chosen: joined where that is possible. */
  film: FilmWay | undefined;
  beside: readonly TimelineFormat[];
  media: 'copies' | 'links';
  /** Undefined: the project's name. */
  name: string | undefined;
  /** Undefined: the data folder. */
  folder: string | undefined;
  provenance: boolean;
  held: readonly string[];
  accepted: readonly string[];
}

/** What is chosen before anybody chose. */
export const FIRST: ExportChoices = {
  film: undefined,
  beside: ['fcpxml', 'csv'],
  media: 'copies',
  name: undefined,
  folder: undefined,
  provenance: true,
  held: [],
  accepted: [],
};

export const useChoicesByProject = create<Readonly<Record<string, ExportChoices>>>()(() => ({}));

export function useChoices(projectId: string): [ExportChoices, (change: Partial<ExportChoices>) => void] {
  const choices = useChoicesByProject((all) => all[projectId]) ?? FIRST;
  const choose = (change: Partial<ExportChoices>) =>
    useChoicesByProject.setState((all) => ({ [projectId]: { ...(all[projectId] ?? FIRST), ...change } }));
  return [choices, choose];
}

/** Why the pictures cannot be joined as they are, one sentence each. */
export function whyNotJoined(
  { whyNot, joinsPictures }: Pick<Preflight, 'whyNot' | 'joinsPictures'>,
  picture: FilmPicture,
): string[] {
  const scaled = picture.isScaled ? [t`The takes are not ${picture.width} × ${picture.height}.`] : [];
  return joinsPictures ? scaled : [...whyNot, ...scaled];
}

export const wayOf = ({ film }: ExportChoices, reasons: readonly string[]): FilmWay =>
  film === undefined || (film === 'join' && reasons.length > 0) ? (reasons.length > 0 ? 'encode' : 'join') : film;

/** LUFS that the film leaves at; undefined where it keeps its own, as packets do that are joined: sound that is encoded is levelled. */
export const leavesAt = (
  wanted: FilmLoudness | undefined,
  { way, soundEncoded }: { way: FilmWay; soundEncoded: readonly string[] },
): number | undefined =>
  way === 'join' && wanted === undefined && soundEncoded.length === 0 ? undefined : targetOf(wanted);

/** Why it cannot be exported as it stands: one sentence. */
export function offReason(
  choices: ExportChoices,
  way: FilmWay,
  groups: Pick<FindingGroups, 'stops'> | undefined,
  shots: number,
): string | undefined {
  if (!groups) return t`The film is being checked.`;
  if (shots === 0) return t`The film has no shots.`;
  const [first, ...more] = groups.stops;
  if (first) return t`${first.title}. Fix ${counted(more.length + 1, 'problem')} first.`;
  if (way === 'none' && choices.beside.length === 0) return t`Choose what to export.`;
  if (choices.name?.trim() === '') return t`Name: must not be empty.`;
  return undefined;
}

export const hasDocuments = ({ beside }: Pick<ExportChoices, 'beside'>): boolean => beside.length > 0;

/** The call that makes what is chosen. */
export function exportInput(
  projectId: string,
  choices: ExportChoices,
  way: FilmWay,
): CallInput<'film.export'> | undefined {
  const { beside, media, name, folder, provenance, held } = choices;
  const [first, ...rest] = beside;
  const what =
    way === 'none'
      ? first && { format: first, ...(rest.length > 0 ? { beside: rest } : {}) }
      : { format: 'mp4' as const, mode: way, ...(beside.length > 0 ? { beside: [...beside] } : {}) };
  if (!what) return undefined;
  return {
    projectId,
    ...what,
    ...(held.length > 0 ? { holes: 'still' as const, held: [...held] } : { holes: 'refuse' as const }),
    ...(hasDocuments(choices) ? { media } : {}),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(folder === undefined ? {} : { folder }),
    ...(provenance ? {} : { provenance: false }),
  };
}
