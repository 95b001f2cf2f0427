import { z } from 'zod';
import { cursor, id, limit } from '../contract/paging.ts';
import { t } from '../text/texts.ts';
import type { MixPlan } from './sound/mixPlan.ts';
import type { Cue } from './subtitles/filmSubtitles.ts';

/** Film exports: what is checked before, what is written, and the result. */

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

/** A finding about a shot before an export; a finding about the track names the shot that it affects. */
export interface Finding {
  /** `stop`: the shot has nothing to export. `know`: it is exported anyway. */
  level: 'stop' | 'know';
  code: FindingCode;
  shotId: string;
  /** One sentence that names the shot by its number. */
  message: string;
  /** The track stops the export, not the shot. */
  isOfTrack?: boolean;
}

/** The streams of a shot's active take; unknown fields are absent. */
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
  /** The length of the part that the film shows. */
  seconds?: number;
  /** The film shows only a part of the take. */
  isTrimmed?: true;
  /** Integrated loudness (ITU-R BS.1770); absent until it is measured. */
  lufs?: number;
  /** Why the loudness of its sound cannot be measured, in one sentence. */
  soundFault?: string;
}

export interface Preflight {
  findings: Finding[];
  /** One for each exported shot, in order. */
  streams: Stream[];
  /** Whether the takes can be joined into an MP4 without encoding. */
  canJoin: boolean;
  /** Why not, one sentence each. */
  whyNot: string[];
  /** Whether the pictures can be joined, even if the sound is encoded. */
  joinsPictures: boolean;
  /** Why only the sound is encoded, one sentence each. */
  soundEncoded: string[];
  /** Pixels per second of the software encoder, if it must make the film and was measured. */
  encoderSpeed?: number;
}

/** Shown if the sound is encoded and the pictures are joined. */
export const SOUND_ALONE = t`Only the sound is encoded. The pictures are copied unchanged.`;

export const EXPORT_STATES = ['running', 'done', 'failed', 'canceled'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

export const FILM_FORMATS = ['mp4', 'fcpxml', 'otio', 'edl', 'csv'] as const;
export type FilmFormat = (typeof FILM_FORMATS)[number];
/** `move`: the library moves to another folder (`library.move`). */
export type ExportKind = FilmFormat | 'files' | 'conversation' | 'move' | 'evidence' | 'ledger' | 'bundle';
export const TIMELINE_FORMATS = ['fcpxml', 'otio', 'edl', 'csv'] as const;
export type TimelineFormat = (typeof TIMELINE_FORMATS)[number];

export interface ExportedFile {
  /** Below the export's folder; `/` separates folders. */
  name: string;
  bytes: number;
  /** Lower-case hex, of the file as read back from the disk. */
  sha256: string;
  mime: string;
}

export interface Export {
  id: string;
  /** Increases with every change of this object; the greater one is newer. */
  revision: number;
  kind: ExportKind;
  state: ExportState;
  /** 0 to 100; never falls while the program runs. An export ended by a crash has 0. */
  progress: number;
  name: string;
  projectId?: string;
  /** How an MP4 was made. */
  mode?: 'join' | 'encode';
  /** Remarks for the user, such as why it was encoded and what was left out. */
  why?: string;
  /** Empty until it is done: only then do the files have their names. */
  files: ExportedFile[];
  /** The hash list (ASC MHL) of several files, in the same folder. */
  hashList?: ExportedFile[];
  /** The absolute path of the folder that holds only these files. */
  folder: string;
  /** Why it failed; after a failure or cancellation also that half-written files remain. */
  error?: string;
  /** Milliseconds since 1970, like all times. */
  createdAt: number;
  finishedAt?: number;
}

const exportName = z.string().trim().min(1).max(200).optional();

const placeShape = {
  /** The name of the export; the project's name by default. */
  name: exportName,
  /** An existing folder, in which the export makes its own; default: the data folder. */
  folder: z.string().min(1).max(4_096).optional(),
  /** Whether copies carry their provenance; `false` leaves them unchanged. */
  provenance: z.boolean().optional(),
};

export const filmExportSchema = z.strictObject({
  projectId: id,
  format: z.enum(FILM_FORMATS),
  /** Timelines exported to the same folder; all share one media folder. */
  beside: z.array(z.enum(TIMELINE_FORMATS)).max(TIMELINE_FORMATS.length).optional(),
  /** For MP4: `auto` joins without encoding if the streams match. */
  mode: z.enum(['auto', 'join', 'encode']).optional(),
  /** How shots without a clip are exported. */
  holes: z.enum(['refuse', 'still', 'skip']).optional(),
  /**
   * With `holes: 'still'`: the shots that the user accepted a still for. Any other shot without a clip, and a track without its file, is
   * refused.
   */
  held: z.array(id).max(1_000).optional(),
  media: z.enum(['copies', 'links']).optional(),
  /** The names in the media folder (`MEDIA_NAME_PATTERN`). */
  names: z.string().trim().min(1).max(200).optional(),
  ...placeShape,
});

/**
 * The default pattern of media names. `{project}`, `{title}`, `{model}`, `{seed}` are replaced; digits in braces are samples: the first is
 * the shot, the second the take, with as many digits. A shot sample ending in 0 counts in tens (`{030}`: SH010, SH020 …), as VFX shots are
 * numbered, so that a shot inserted later gets a number (designimage.co.uk, "VFX naming convention": increments of 10, padded to 3 figures).
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

/** One shot of an exported film. */
export interface FilmSegment {
  shotId: string;
  /** From 1, counting skipped shots. */
  number: number;
  title: string;
  /** Without a clip, a `still` picture or, as a `gap`, a slate with number and title. Both are silent. */
  kind: 'clip' | 'still' | 'gap';
  /** The clip or picture; absent for a gap. */
  assetId?: string;
  sha256?: string;
  jobId?: string;
  /** The second of the clip at which a trimmed take begins; absent if all of it plays. */
  from?: number;
  /** In whole frames of the film's rate. */
  frames: number;
  seconds: number;
  hasAudio: boolean;
  /** The gain that gives the film one loudness; 0 if it was not measured. */
  gainDb: number;
}

/** A film in whole frames, the input of every format. */
export interface FilmPlan {
  projectId: string;
  name: string;
  fps: FrameRate;
  width: number;
  height: number;
  segments: FilmSegment[];
}

/** The sound of a film. */
export interface FilmMix extends Pick<MixPlan, 'sources' | 'headroom'> {
  /** LUFS of the whole film; absent: as it is mixed. */
  target?: number;
  /** Why sounds could not be levelled, one sentence each. */
  notLevelled?: string[];
  /** The board needs a mix: the sound is encoded even if it could be joined. */
  isAsked: boolean;
}

/** A film ready to be made: everything but the bytes is decided. */
export interface MoviePlan extends FilmPlan {
  mix: FilmMix;
  /** Burnt into the pictures. */
  words: Cue[];
}
