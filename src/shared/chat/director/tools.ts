import { z } from 'zod';
import { IMAGE_MODES } from '../../kinds/imagine.ts';
import { videoConfigSchema } from '../../kinds/videoConfig.ts';
import { formatCount } from '../../text/texts.ts';

/**
 * The director's tools, which a model may call in a chat of a project. They draft and read; none makes, changes or spends anything. The same
 * schemas are sent to the gateway and validate the calls.
 */

/** Drafts of one answer. */
export const MAX_DRAFTS = 40;
/** Open drafts of one chat: each is computed on a board with the others, and a model may draft without end. */
export const MOST_OPEN = 200;
/** Calls of one answer that are carried out; the rest are refused. */
export const MAX_CALLS = 16;
/** Characters of the arguments of one call. */
export const MAX_ARGUMENTS = 64 * 1024;
/** Shots in one answer of `read_board`. */
export const MAX_READ = 50;

const words = (most: number) =>
  z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(most, `must have at most ${formatCount(most)} characters`);

const LENGTHS = [4, 6, 7, 8] as const;

const config = z.strictObject({
  durationSeconds: z
    .literal(LENGTHS, 'must be 4, 6 or 8, or 7 when extending')
    .optional()
    .describe('4, 6 or 8; an extension is always 7'),
  resolution: videoConfigSchema.shape.resolution,
  aspectRatio: videoConfigSchema.shape.aspectRatio,
  generateAudio: videoConfigSchema.shape.generateAudio,
  sampleCount: videoConfigSchema.shape.sampleCount.describe('how many candidates; each is paid for'),
  seed: videoConfigSchema.shape.seed,
});

/** A transition needs a last frame, which only the user can choose. */
const joint = z
  .enum(['cut', 'continue', 'extend'], "must be 'cut', 'continue' or 'extend'")
  .optional()
  .describe(
    'cut: starts from its words. continue: starts from the last frame of the shot before. extend: the same clip goes on, with its sound, by the same model',
  );

const shotFields = {
  title: words(200).optional().describe('a few words'),
  prompt: words(10_000).describe('one action; camera, light and sound in plain words'),
  model: words(200).optional().describe('a video model; left out: that of the shot before'),
  joint,
  config: config.optional(),
};

export const draftedShotSchema = z.strictObject(shotFields);
export type DraftedShot = z.infer<typeof draftedShotSchema>;

const shotOnBoard = z
  .union(
    [
      z.int('must be a number or an id').min(1, 'must be 1 or more').max(100_000, 'must be at most 100,000'),
      z.string('must be a number or an id').min(1, 'must not be empty').max(100, 'is too long for an id'),
    ],
    'must be the number of a shot on the board, or its id',
  )
  .describe('its number on the board, from 1, or its id as read_board gives it');

/** Each shot is validated alone ({@link draftedShotSchema}), so that one wrong shot does not refuse the others. */
export const draftShotsSchema = z.strictObject({
  shots: z
    .array(z.unknown(), 'must be a list of shots')
    .min(1, 'needs at least one shot')
    .max(MAX_DRAFTS, `must be at most ${MAX_DRAFTS} shots`),
  before: shotOnBoard.optional(),
});

export const changeShotSchema = z.strictObject({
  shot: shotOnBoard,
  ...shotFields,
  prompt: shotFields.prompt.optional(),
});
export type ShotPatch = Omit<z.infer<typeof changeShotSchema>, 'shot'>;

export const draftedImageSchema = z.strictObject({
  title: words(200).optional().describe('a few words'),
  prompt: words(10_000).describe('may end with flags such as --ar 2:3'),
  mode: z.enum(IMAGE_MODES, "must be 'fast', 'relax' or 'turbo'").optional(),
});
export type DraftedImage = z.infer<typeof draftedImageSchema>;

export const draftImagesSchema = z.strictObject({
  images: z
    .array(z.unknown(), 'must be a list of images')
    .min(1, 'needs at least one image')
    .max(MAX_DRAFTS, `must be at most ${MAX_DRAFTS} images`),
});

export const readBoardSchema = z.strictObject({
  from: z.int('must be a whole number').min(1, 'must be 1 or more').optional().describe('the first shot, from 1'),
  count: z
    .int('must be a whole number')
    .min(1, `must be 1 to ${MAX_READ}`)
    .max(MAX_READ, `must be 1 to ${MAX_READ}`)
    .optional(),
});

const NOT_YET = 'Nothing is made or spent until the user approves it in Dailies.';

const DECLARED = {
  draft_shots: {
    says: `Drafts new shots for the board of this film, each with its price. ${NOT_YET}`,
    takes: draftShotsSchema.extend({ shots: z.array(draftedShotSchema).min(1).max(MAX_DRAFTS) }),
  },
  change_shot: {
    says: `Drafts a change of one shot on the board, and a new take of it; only what is given changes. ${NOT_YET}`,
    takes: changeShotSchema,
  },
  draft_images: {
    says: `Drafts pictures, such as posters, each with its price. ${NOT_YET}`,
    takes: draftImagesSchema.extend({ images: z.array(draftedImageSchema).min(1).max(MAX_DRAFTS) }),
  },
  read_board: {
    says: `Reads the shots on the board of this film: at most ${MAX_READ} at once.`,
    takes: readBoardSchema,
  },
};

export type ToolName = keyof typeof DECLARED;
export const TOOL_NAMES = Object.keys(DECLARED) as ToolName[];
export const isToolName = (name: string): name is ToolName => Object.hasOwn(DECLARED, name);

/** As a chat request carries them (spec 2.5: the language model supports tool calls). */
export const DIRECTOR_TOOLS: Record<string, unknown>[] = Object.entries(DECLARED).map(([name, { says, takes }]) => {
  const { $schema: _, ...parameters } = z.toJSONSchema(takes, { io: 'input' });
  return { type: 'function', function: { name, description: says, parameters } };
});

/** Whether a chat offers the tools. Pages price a message by the same rule. */
export const offersTools = (conversation: { projectId?: string | undefined; director: boolean } | undefined): boolean =>
  conversation?.projectId !== undefined && conversation.director;
