import { useMemo } from 'react';
import { create } from 'zustand';
import type { Export, Preflight, TimelineFormat } from '../../../../shared/film/filmExport.ts';
import { FILM_SOUND_BITRATE } from '../../../../shared/film/filmFormat.ts';
import { type FilmLoudness, targetOf } from '../../../../shared/film/sound/levels.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import type { CallInput } from '../../../client/index.ts';
import { formatBytes, formatLength } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type FilmPicture, type FindingGroups, groupsOf, pictureOf } from './exportView.ts';

/** The next export of a film: findings, choices, and their result. */
export interface ExportPlan {
  board: BoardHandle;
  preflight: Preflight;
  /** Undefined until the film is checked. */
  groups: FindingGroups | undefined;
  choices: ExportChoices;
  choose: (change: Partial<ExportChoices>) => void;
  picture: FilmPicture;
  /** Why the takes cannot be joined as they are. */
  reasons: readonly string[];
  way: FilmWay;
  /** Target loudness in LUFS; undefined if the film keeps its own loudness. */
  loudness: number | undefined;
  sizes: Sizes;
}

export function useExportPlan(board: BoardHandle, projectId: string, read: Preflight | undefined): ExportPlan {
  const preflight = read ?? NOTHING;
  const [choices, choose] = useChoices(projectId);
  const groups = useMemo(() => read && groupsOf(read, board.shots, choices), [read, board.shots, choices]);
  const picture = pictureOf(board.board, preflight.streams);
  const reasons = whyNotJoined(preflight, picture);
  const way = wayOf(choices, reasons);
  const loudness = leavesAt(board.board?.sound?.loudness, { way, soundEncoded: preflight.soundEncoded });
  const sizes = sizesOf(board, preflight, choices, { way, picture });
  return { board, preflight, groups, choices, choose, picture, reasons, way, loudness, sizes };
}

const NOTHING: Preflight = {
  findings: [],
  streams: [],
  canJoin: false,
  whyNot: [],
  joinsPictures: false,
  soundEncoded: [],
};

/** Choices for the next export of a film; they live as long as the window. */

/** How the film itself is exported; `none` exports only the documents. */
export type FilmWay = 'join' | 'encode' | 'none';

export interface ExportChoices {
  /** Undefined until chosen: then joined if possible. */
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

/** Initial choices. */
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

/** Why the takes cannot be joined as they are, one sentence each. */
export function whyNotJoined(
  { whyNot, joinsPictures }: Pick<Preflight, 'whyNot' | 'joinsPictures'>,
  picture: FilmPicture,
): string[] {
  const scaled = picture.isScaled ? [t`The takes are not ${picture.width} × ${picture.height}.`] : [];
  return joinsPictures ? scaled : [...whyNot, ...scaled];
}

export const wayOf = ({ film }: ExportChoices, reasons: readonly string[]): FilmWay =>
  film === undefined || (film === 'join' && reasons.length > 0) ? (reasons.length > 0 ? 'encode' : 'join') : film;

/**
 * The loudness of the exported film in LUFS. Undefined if it keeps its own: joined packets are unchanged, only encoded sound is levelled.
 */
export const leavesAt = (
  wanted: FilmLoudness | undefined,
  { way, soundEncoded }: { way: FilmWay; soundEncoded: readonly string[] },
): number | undefined =>
  way === 'join' && wanted === undefined && soundEncoded.length === 0 ? undefined : targetOf(wanted);

/** Why the current choices cannot be exported, in one sentence. */
export function offReason(
  choices: ExportChoices,
  way: FilmWay,
  groups: Pick<FindingGroups, 'stops'> | undefined,
  shots: number,
): string | undefined {
  if (!groups) return t`The film is being checked.`;
  if (shots === 0) return t`The film has no shots.`;
  if (groups.stops.length > 0) return t`Fix ${counted(groups.stops.length, 'problem')} first.`;
  if (way === 'none' && choices.beside.length === 0) return t`Choose what to export.`;
  if (choices.name?.trim() === '') return t`Name: must not be empty.`;
  return undefined;
}

export const hasDocuments = ({ beside }: Pick<ExportChoices, 'beside'>): boolean => beside.length > 0;

/** The call's input for the current choices. */
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

/** The size of a film, and how long its export takes. */

type FilmSize = Pick<Sizes, 'pixels' | 'frames'>;

export interface Sizes {
  /** Pixels of a frame. */
  pixels: number;
  /** Number of frames. */
  frames: number;
  /** Total bytes of the selected takes. */
  takes: number;
  /** Number of takes. */
  count: number;
  /** Estimated bytes after encoding, within a factor of two; undefined if no take is known. */
  encoded: number | undefined;
  /** `0:31, 115 MB` */
  words: string;
}

export function sizesOf(
  { shots, media }: BoardHandle,
  { streams }: Preflight,
  choices: Pick<ExportChoices, 'beside' | 'media'>,
  { way, picture: { width, height } }: { way: FilmWay; picture: FilmPicture },
): Sizes {
  const played = streams.map(({ shotId, assetId, seconds: own }) => ({
    asset: assetId === undefined ? undefined : media.assets.get(assetId),
    seconds: own ?? shots.find(({ shot }) => shot.id === shotId)?.seconds ?? 0,
  }));
  const assets = played.flatMap(({ asset }) => asset ?? []);
  const takes = assets.reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = played.reduce((sum, one) => sum + one.seconds, 0);
  const pixels = width * height;
  const pictures = played.reduce((sum, one) => sum + encodedPictures(one, pixels), 0);
  const encoded = pictures === 0 ? undefined : Math.round(pictures + (seconds * FILM_SOUND_BITRATE) / 8);
  const fps = streams.find((one) => one.fps !== undefined)?.fps ?? 24;
  const copies = hasDocuments(choices) && choices.media === 'copies' ? takes : 0;
  const film = way === 'join' ? takes : way === 'encode' ? (encoded ?? 0) : 0;
  return {
    takes,
    count: assets.length,
    pixels,
    frames: Math.round(seconds * fps),
    encoded,
    words: wordsOf(seconds, film + copies, way === 'encode' && encoded !== undefined),
  };
}

/**
 * How much larger the picture data gets at the encoder's quality, and the exponent of its growth with the picture size. Measured on the
 * sample film.
 */
const ANEW = 1.5;
const BY_PIXELS = 0.75;

/** The encoder targets a quality, not a bit rate, so the new size is estimated from the current one. */
function encodedPictures({ asset, seconds }: { asset: Asset | undefined; seconds: number }, pixels: number): number {
  if (!asset) return 0;
  const { bytes, width, height, seconds: whole = seconds } = asset;
  const share = whole === 0 ? 1 : Math.min(1, seconds / whole);
  return ANEW * bytes * share * (width * height === 0 ? 1 : pixels / (width * height)) ** BY_PIXELS;
}

function wordsOf(seconds: number, bytes: number, isEstimate: boolean): string {
  const length = formatLength(seconds);
  if (bytes === 0) return length;
  return `${length}, ${isEstimate ? t`about ${formatBytes(bytes)}` : formatBytes(bytes)}`;
}

/** Export speed is measured on earlier exports, and stored in this browser's local storage. */
const PLACES = { encode: 'dailies.encodedPixelsPerSecond', join: 'dailies.joinedPixelsPerSecond' } as const;

/** Pixels per second of the last film exported this way; undefined before the first. */
export function knownSpeed(mode: keyof typeof PLACES): number | undefined {
  const kept = Number(window.localStorage.getItem(PLACES[mode]));
  return Number.isFinite(kept) && kept > 0 ? kept : undefined;
}

/** Seconds that a film takes at a speed in pixels per second; undefined without a measured speed. */
export function secondsAt({ pixels, frames }: FilmSize, speed: number | undefined): number | undefined {
  return speed === undefined || pixels * frames === 0 ? undefined : (pixels * frames) / speed;
}

/** Stores the speed of an export, counted from its start and including waiting time. */
export function rememberSpeed(one: Pick<Export, 'state' | 'mode' | 'createdAt' | 'finishedAt'>, size: FilmSize): void {
  if (one.state !== 'done' || one.mode === undefined || one.finishedAt === undefined) return;
  const seconds = Math.max(0.1, (one.finishedAt - one.createdAt) / 1_000);
  window.localStorage.setItem(PLACES[one.mode], String(Math.round((size.pixels * size.frames) / seconds)));
}
