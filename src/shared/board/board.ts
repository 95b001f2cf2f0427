import { z } from 'zod';
import { seamLimitsSchema } from '../film/continuityLimits.ts';
import { filmFormatSchema } from '../film/filmFormat.ts';
import { ownSoundSchema } from '../film/sound/levels.ts';
import { filmSoundSchema } from '../film/sound/track.ts';
import { subtitlesSchema } from '../film/subtitles/subtitle.ts';
import { filmWordsSchema } from '../film/subtitles/subtitleSettings.ts';
import { trimsSchema } from '../film/trim.ts';
import { EXTENSION_SECONDS } from '../kinds/video.ts';
import { referenceTypesSchema, type VideoConfig, videoConfigSchema } from '../kinds/videoConfig.ts';
import { mediaRefSchema } from '../library/mediaRef.ts';
import { triageLimitsSchema } from '../triage/limits.ts';
import { type CastUse, castBoxesSchema, castSchema, slotChoiceSchema } from './cast.ts';

/** A project's storyboard: its shots in order, each with the takes made of it. */

/** The start of a shot; the four patterns of spec 4.1, with the first frame alone as the plain form of image to video. */
export const SHOT_SOURCES = ['text', 'first', 'firstLast', 'references', 'extend'] as const;
export type ShotSource = (typeof SHOT_SOURCES)[number];

/** The link of a shot to the one before it. */
export const SHOT_LINKS = ['cut', 'continue', 'transition', 'extend'] as const;
export type ShotLink = (typeof SHOT_LINKS)[number];

const output = z.int().min(0).max(3).optional();

export const shotSchema = z.strictObject({
  id: z.string().min(1).max(100),
  title: z.string().max(200).default(''),
  prompt: z.string().max(100_000).default(''),
  model: z.string().max(200).default(''),
  source: z.enum(SHOT_SOURCES).default('text'),
  config: videoConfigSchema.default({}),
  /** Frames stay when the source is changed, so that changing back loses nothing. */
  image: mediaRefSchema.optional(),
  lastFrame: mediaRefSchema.optional(),
  referenceImages: z.array(mediaRefSchema).max(3).default([]),
  /** The role of the references; absent: the default. */
  referenceType: referenceTypesSchema.optional(),
  video: mediaRefSchema.optional(),
  /** How the free reference slots are shared among the cast. */
  slots: slotChoiceSchema.optional(),
  /** The boxes around its cast in the active take. */
  castBoxes: castBoxesSchema.optional(),
  /** Job ids of its takes, oldest first. */
  takes: z.array(z.string()).default([]),
  /** Takes that were removed from the shot. They were paid for, so they stay here and can be restored. */
  removedTakes: z.array(z.string()).optional(),
  /** The selected take. */
  activeTake: z.string().optional(),
  /** The variation of that take that the film shows; absent: the first. */
  activeOutput: output,
  /** Shown in the film until the active take is made, and if that fails. */
  meanwhile: z.strictObject({ take: z.string(), output }).optional(),
  /** The chosen link to the shot before it; absent: the source decides. Links other than a cut fill their slot again with each take. */
  joint: z.enum(SHOT_LINKS).optional(),
  /** Marks an outdated take that the user kept (`acceptedStaleMark`); counts only while the film shows the same takes. */
  kept: z.array(z.string().max(500)).max(20).optional(),
  /** Left out of the film and of exports; it stays on the board. */
  skipped: z.boolean().optional(),
  ownSound: ownSoundSchema.optional(),
  /** Exports level its beginning with the end of the shot before it. */
  isLevelled: z.literal(true).optional(),
  subtitles: subtitlesSchema.optional(),
  /** The in and out points of each trimmed take, removed takes included. */
  trims: trimsSchema.optional(),
});
export type Shot = z.infer<typeof shotSchema>;

/** Whether the shot is empty but for the model and the configuration that every new shot has. */
export const isBlankShot = ({ id: _, model: __, config: ___, source, ...shot }: Shot): boolean =>
  source === 'text' &&
  Object.values(shot).every((value) => {
    if (typeof value === 'string') return value.trim() === '';
    return !value || (Array.isArray(value) && value.length === 0);
  });

export const MAX_SHOTS = 500;
export const MAX_CHAIN = 100;

/** The cheapest sensible settings: the user chooses what costs more. */
export const NEW_SHOT_CONFIG: VideoConfig = {
  resolution: '720p',
  durationSeconds: 4,
  aspectRatio: '16:9',
  generateAudio: true,
};

/** A shot to be added: takes belong to the shot they were made for. Without an id it gets one. */
export const newShotSchema = shotSchema
  .omit({
    takes: true,
    removedTakes: true,
    activeTake: true,
    activeOutput: true,
    meanwhile: true,
    kept: true,
    trims: true,
  })
  .partial({ id: true });
export type NewShot = z.infer<typeof newShotSchema>;

export const boardSchema = z.strictObject({
  projectId: z.string().min(1).max(100),
  /** Increases by one with every save; a save names the revision it is based on. */
  revision: z.int().min(0),
  shots: z.array(shotSchema).max(MAX_SHOTS),
  /** A save that leaves out one of the fields below keeps it as it is; an empty one removes it. */
  cast: castSchema.optional(),
  /** The planned length. */
  plan: z
    .strictObject({
      seconds: z.number().min(1).max(86_400).optional(),
    })
    .optional(),
  sound: filmSoundSchema.optional(),
  words: filmWordsSchema.optional(),
  format: filmFormatSchema.optional(),
  /** Limits of the continuity check that differ from the defaults. */
  seamLimits: seamLimitsSchema.optional(),
  /** Limits of the quality check that differ from the defaults. */
  triageLimits: triageLimitsSchema.optional(),
});
export type Board = z.infer<typeof boardSchema>;

/** The content that the user edits; one stack of undo steps covers all of it. */
export type BoardContent = Omit<Board, 'projectId' | 'revision'>;
/** The fields of the board itself, without its shots. */
export type BoardSettings = Omit<BoardContent, 'shots'>;

export const contentOf = ({ projectId: _, revision: __, ...content }: Board): BoardContent => content;
export const wideOf = ({ shots: _, ...wide }: BoardContent): BoardSettings => wide;

/** A removed shot in its last state, with takes finished since. */
export interface RemovedShot {
  shot: Shot;
  /** Its position, counting from 0. */
  place: number;
  removedAt: number;
}

export interface BoardSteps {
  canUndo: boolean;
  canRedo: boolean;
  /** The name of the change that undo would take back, `Remove shot 3`; absent: none. */
  undo?: string;
  /** Likewise for redo. */
  redo?: string;
}

/** The result of undo or redo. Without `undone` or `redone` there was nothing to do. */
export interface BoardStep extends BoardSteps {
  board: Board;
  /** The name of the change: `Remove shot 3`. */
  undone?: string;
  redone?: string;
}

export interface Project {
  id: string;
  name: string;
  createdAt: number;
}

/** A shot as it is sent (`toSend`): names written out, reference slots shared among the cast. */
export interface ShotToSend extends Shot {
  castUses: CastUse[];
}

/** The request of a shot: only the fields its source uses (spec 4.1). It may still be invalid; `jobs.enqueue` and the page validate it. */
export function requestOfShot(shot: ShotToSend): unknown {
  const pictures = {
    text: {},
    first: { image: shot.image },
    firstLast: { image: shot.image, lastFrame: shot.lastFrame },
    references: {
      referenceImages: shot.referenceImages,
      ...(shot.referenceType !== undefined && { referenceType: shot.referenceType }),
    },
    extend: { video: shot.video },
  }[shot.source];
  const cast = shot.castUses.length > 0 ? { cast: shot.castUses } : {};
  return { kind: 'video', model: shot.model, prompt: shot.prompt, ...pictures, ...cast, config: configOfShot(shot) };
}

/** The configuration of its takes: an extension has a fixed length. */
export const configOfShot = ({ source, config }: Pick<Shot, 'source' | 'config'>): VideoConfig =>
  source === 'extend' ? { ...config, durationSeconds: EXTENSION_SECONDS } : config;

export const takesOf = (shot: Shot): string[] => [...shot.takes, ...(shot.removedTakes ?? [])];

/** A shot's name on its card: its title, or the first words of its prompt. */
export function shotTitle(shot: Pick<Shot, 'title' | 'prompt'>): string {
  return shot.title.trim() || shot.prompt.trim().split('\n')[0] || 'Untitled';
}

/** The field of the picture that a shot's source needs and the shot does not have yet. */
export function missingOfShot(shot: ShotToSend): { field: string; message: string }[] {
  const needs: Partial<Record<ShotSource, [field: 'image' | 'lastFrame' | 'video', message: string][]>> = {
    first: [['image', 'choose a first frame.']],
    firstLast: [
      ['image', 'choose a first frame.'],
      ['lastFrame', 'choose a last frame.'],
    ],
    extend: [['video', 'choose the clip to extend. One that ends at an out point cannot be extended.']],
  };
  const missing = (needs[shot.source] ?? []).filter(([field]) => !shot[field]);
  const references =
    shot.source === 'references' && shot.referenceImages.length === 0
      ? [{ field: 'referenceImages', message: 'choose 1 to 3 pictures.' }]
      : [];
  return [...missing.map(([field, message]) => ({ field, message })), ...references];
}
