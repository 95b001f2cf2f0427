import { z } from 'zod';
import { cursor, id, limit } from '../contract/paging.ts';
import { t } from '../text/texts.ts';
import type { MixPlan } from './sound/mixPlan.ts';
import type { Cue } from './subtitles/filmSubtitles.ts';

/** A film that leaves: what is checked before, what is written, and what became of it. */

export const FINDING_CODES = [
  'missing',
  'stale',
  'size',
  'rate',
  'coding',
  'silent',
  'loudness',
  'unavailable',
  'track',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/** One thing to know about a shot before the film is exported; of the track, the shot is the one at which it matters. */
export interface Finding {
  /** `stop`: the shot has nothing to export. `know`: it is exported all the same. */
  level: 'stop' | 'know';
  code: FindingCode;
  shotId: string;
  /** One sentence that names the shot by its number. */
  message: string;
  /** It is the track that stops the film, not the shot. */
  isOfTrack?: boolean;
}

/** What the playing take of a shot is made of; a field that is not known is absent. */
export interface Stream {
  shotId: string;
  jobId?: string;
  assetId?: string;
  /** Pixels. */
  width?: number;
  height?: number;
  /** Frames a second, such as 23.976. */
  fps?: number;
  /** RFC 6381, such as `avc1.640028`. */
  videoCodec?: string;
  audioCodec?: string;
  /** Hertz. */
  sampleRate?: number;
  /** Of what plays of it. */
  seconds?: number;
  /** Only a part of the take plays. */
  isTrimmed?: true;
  /** Integrated loudness (ITU-R BS.1770); absent until it has been measured. */
  lufs?: number;
  /** Why its sound has no loudness, and will have none, in one sentence. */
  soundFault?: string;
}

export interface Preflight {
  findings: Finding[];
  /** One for each shot that is not skipped, in order. */
  streams: Stream[];
  /** Whether the takes can be put into one MP4 without being encoded again. */
  canJoin: boolean;
  /** Why not, one sentence each. */
  whyNot: string[];
  /** Whether the pictures can be joined packet by packet, whatever becomes of the sound. */
  joinsPictures: boolean;
  /** Why the sound is encoded where the pictures are joined, one sentence each; empty where it is joined too. */
  soundEncoded: string[];
  /** Pixels a second that the software encoder makes, where it has to make the film and was tried; absent elsewhere. */
  encoderSpeed?: number;
}

/** Told where the sound of a film is encoded, and its pictures are not. */
export const SOUND_ALONE = t`Only the sound is encoded. The pictures are copied unchanged.`;

export const EXPORT_STATES = ['running', 'done', 'failed', 'canceled'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** What an export makes: a film in one of its forms, or files of the library. */
export const FILM_FORMATS = ['mp4', 'fcpxml', 'otio', 'edl', 'csv'] as const;
export type FilmFormat = (typeof FILM_FORMATS)[number];
/** `move`: the library moves to another folder (`library.move`). */
export type ExportKind = FilmFormat | 'files' | 'conversation' | 'move' | 'evidence' | 'ledger' | 'bundle';
/** Those that are a document with a media folder. */
export const TIMELINE_FORMATS = ['fcpxml', 'otio', 'edl', 'csv'] as const;
export type TimelineFormat = (typeof TIMELINE_FORMATS)[number];

export interface ExportedFile {
  /** Below the export's folder; `/` separates folders. */
  name: string;
  bytes: number;
  /** Lower-case hex, of what was read back from the disk. */
  sha256: string;
  mime: string;
}

export interface Export {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  kind: ExportKind;
  state: ExportState;
  /** 0 to 100; never falls while the program runs; 100 when it is done. What a kill ends stands at 0. */
  progress: number;
  name: string;
  projectId?: string;
  /** Of an MP4: how it was made. */
  mode?: 'join' | 'encode';
  /** What the user should know of the result, such as why it was encoded and what was left out. */
  why?: string;
  /** Empty until it is done: only then do the files have their names. */
  files: ExportedFile[];
  /** Of several files: their hash list (ASC MHL), in the same folder. */
  hashList?: ExportedFile[];
  /** The absolute path of the folder that holds the files and nothing else. */
  folder: string;
  /** With `failed`: why. Also where something half written stays, then with `canceled` too. */
  error?: string;
  /** Milliseconds since 1970, like all times. */
  createdAt: number;
  finishedAt?: number;
}

const exportName = z.string().trim().min(1).max(200).optional();

/** Where and how files are written. */
const placeShape = {
  /** The name of the export; the project's name by default. */
  name: exportName,
  /** An existing folder of the user's; a folder for this export is made in it. Without it, the data folder. */
  folder: z.string().min(1).max(4_096).optional(),
  /** Whether copies say what they are and how they were made; `false` leaves them as they came. */
  provenance: z.boolean().optional(),
};

export const filmExportSchema = z.strictObject({
  projectId: id,
  format: z.enum(FILM_FORMATS),
  /** Documents that go with it in the same folder, with one media folder for all of them. */
  beside: z.array(z.enum(TIMELINE_FORMATS)).max(TIMELINE_FORMATS.length).optional(),
  /** Of an MP4: `auto` joins without encoding where the streams match. */
  mode: z.enum(['auto', 'join', 'encode']).optional(),
  /** What becomes of a shot without a clip. */
  holes: z.enum(['refuse', 'still', 'skip']).optional(),
  /** With `holes: 'still'`: the shots for which a still was decided; another one without a clip, or a track without its file, is refused. */
  held: z.array(id).max(1_000).optional(),
  /** How the media folder holds the takes. */
  media: z.enum(['copies', 'links']).optional(),
  /** The names in the media folder (`MEDIA_NAME_PATTERN`). */
  names: z.string().trim().min(1).max(200).optional(),
  ...placeShape,
});

/**
 * The default pattern of media names. `{project}`, `{title}`, `{model}`, `{seed}` stand for themselves; digits in braces are a sample: the
 * first of them is the shot, the second the take, with as many digits, and a shot sample that ends in 0 counts in tens (`{030}`: SH010,
 * SH020 …), as shots of effects are numbered, so that one put in between later finds a number (designimage.co.uk, "VFX naming
 * convention": increments of 10, padded to 3 figures).
 */
export const MEDIA_NAME_PATTERN = '{project}_SH{030}_T{02}';

export const libraryExportSchema = z.strictObject({
  ids: z.array(id).min(1).max(1_000),
  media: filmExportSchema.shape.media,
  ...placeShape,
});

export const exportsListSchema = z.strictObject({ cursor, limit, projectId: id.optional() });

export interface ExportPage {
  /** Newest first. */
  exports: Export[];
  nextCursor?: string;
}

/** A rate as a fraction: 30000/1001 frames a second. */
export interface FrameRate {
  num: number;
  den: number;
}

/** One shot of the film as it is exported, in order. */
export interface FilmSegment {
  shotId: string;
  /** Counts from 1, with skipped shots counted too. */
  number: number;
  title: string;
  /** `still`: a picture stands for the clip that is missing; `gap`: a slate with its number and title does. Both are silent. */
  kind: 'clip' | 'still' | 'gap';
  /** The clip or picture; absent with `gap`. */
  assetId?: string;
  sha256?: string;
  jobId?: string;
  /** The second of its clip at which it begins, where the take is trimmed; absent where all of it plays. */
  from?: number;
  /** Length in the film: whole frames of the film's rate. */
  frames: number;
  seconds: number;
  hasAudio: boolean;
  /** What its sound is raised by so that the film has one loudness; 0 if it was not measured. */
  gainDb: number;
}

/** A film in whole frames, as every format takes it. */
export interface FilmPlan {
  projectId: string;
  name: string;
  fps: FrameRate;
  width: number;
  height: number;
  segments: FilmSegment[];
}

/** What is heard of a film. */
export interface FilmMix extends Pick<MixPlan, 'sources' | 'headroom'> {
  /** LUFS that the whole is brought to; absent where it stays as loud as it is mixed. */
  target?: number;
  /** What could not be levelled, since its sound is not measured, and why; one sentence each. */
  notLevelled?: string[];
  /** The board asks for a mix, so the sound is encoded even where it could be joined as it came. */
  isAsked: boolean;
}

/** A film as a maker of movies takes it: everything decided, nothing left to look up but the bytes. */
export interface MoviePlan extends FilmPlan {
  mix: FilmMix;
  /** Drawn into the pictures. */
  words: Cue[];
}
