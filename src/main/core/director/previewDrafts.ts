import {
  type Board,
  configOfShot,
  MAX_SHOTS,
  NEW_SHOT_CONFIG,
  type Shot,
  shotTitle,
} from '../../../shared/board/board.ts';
import { changedFields } from '../../../shared/board/boardChanges.ts';
import { indexBefore, plannedLink, statesOf, withShotLink } from '../../../shared/board/shotLinks.ts';
import type { Draft, DraftChange, DraftShot } from '../../../shared/chat/director/draft.ts';
import type { DraftedShot, ShotPatch } from '../../../shared/chat/director/tools.ts';
import { parseInput, type Reason, type Result, type StudioError } from '../../../shared/contract/result.ts';
import type { FilmShot } from '../../../shared/film/film.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { imagineRequestSchema } from '../../../shared/kinds/imagine.ts';
import { KINDS, mediaRefsOf, modelsFor, type StudioRequest } from '../../../shared/kinds/index.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import type { Offer } from '../quotes/index.ts';
import { type FilmSource, type LinkedTake, linkedTakes, readFilm } from '../storyboard/index.ts';
import type { DraftInput, DraftPreview, DraftRow } from './draftTable.ts';

/** Drafts as the user sees them: on the present board, at present prices. */

/** The context of drafts. */
export interface DraftContext {
  board: Board;
  source: FilmSource;
  profile: Profile;
  rows: readonly DraftRow[];
  /** A message and those before it: a model knows only their drafts. */
  upTo(messageId: string): ReadonlySet<string>;
  /** The quote of this request. */
  offer(row: DraftRow, request: StudioRequest): Offer;
  /** Reused for the next draft, which usually differs by one. */
  kept: { draftedBoard?: DraftedBoard; stale?: ReadonlySet<string> };
}

interface DraftedBoard {
  drafts: readonly ShotDraft[];
  board: Board;
  /** The jobs of takes, by shot. */
  jobIds: ReadonlyMap<string, string>;
}

export interface DrawnDraft extends DraftPreview {
  row: DraftRow;
  offer?: Offer;
  take?: LinkedTake;
}

export function previewDraft(scene: DraftContext, row: DraftRow): DrawnDraft {
  if (isShotDraft(row)) return drawShot(scene, row);
  const { asked } = row;
  const base = baseOf(scene, row);
  if (!('image' in asked)) return { row, draft: { ...base, ...('errors' in asked ? faultOf(asked) : {}) } };
  const { image } = asked;
  const { title: given, ...words } = image;
  const title = given ?? shortened(image.prompt, 80);
  const request = parseInput(imagineRequestSchema, { kind: 'imagine', ...words });
  return { row, ...priced(scene, row, { draft: { ...base, title, image: words }, request }) };
}

const faultOf = ({ title, errors }: { title: string; errors: Reason[] }) => ({ title, errors });

function baseOf({ profile }: DraftContext, row: DraftRow) {
  const { id, conversationId, messageId, callId, projectId, kind, state, createdAt } = row;
  const place = { id, conversationId, messageId, callId, projectId, kind, state, createdAt };
  return { ...place, title: '', estimateNano: 0, lowNano: 0, profileId: profile.id };
}

interface ToPrice {
  draft: Draft;
  request: Result<StudioRequest>;
  errors?: readonly Reason[];
}

/** The draft with its price and quote, or with its errors. */
function priced(scene: DraftContext, row: DraftRow, { draft, request, errors = [] }: ToPrice): Omit<DrawnDraft, 'row'> {
  const all = [...errors, ...(request.ok ? [] : reasonsOf(request.error))];
  if (!request.ok || all.length > 0) return { draft: { ...draft, errors: all } };
  const offer = scene.offer(row, request.data);
  const { estimateNano, lowNano, unpriced } = offer.document.price;
  const price = { estimateNano, lowNano, quoteId: offer.id, ...(unpriced ? { unpriced } : {}) };
  return { draft: { ...draft, ...price }, request: request.data, offer, quoteId: offer.id };
}

const reasonsOf = ({ message, data }: StudioError): Reason[] =>
  (data?.reasons as Reason[] | undefined) ?? [{ field: '', message }];

/** The other open drafts that the model knew of: the draft is placed on a board with those. */
function knownDrafts({ rows, upTo }: DraftContext, row: ShotDraft): ShotDraft[] {
  const known = rows.filter(
    (one): one is ShotDraft =>
      isShotDraft(one) && one.state === 'open' && one.seq < row.seq && one.asked.shotId !== row.asked.shotId,
  );
  if (known.every(({ messageId }) => messageId === row.messageId)) return known;
  const messages = upTo(row.messageId);
  return known.filter(({ messageId }) => messages.has(messageId));
}

function drawShot(scene: DraftContext, row: ShotDraft): DrawnDraft {
  const { source, profile, rows } = scene;
  const placing: Placing = { source, models: modelsFor(KINDS.video, profile.models).map(({ id }) => id), rows };
  const known = knownDrafts(scene, row);
  const draftedBoard = boardWithDrafts(scene, known, placing);
  const { board, errors } = withDraft(draftedBoard.board, row, placing);
  const { shotId, jobId } = row.asked;
  const shotIds = new Set([...draftedBoard.jobIds.keys(), shotId]);
  const [take] = linkedTakes(source, board, shotIds, (id) => draftedBoard.jobIds.get(id) ?? jobId, shotId);
  if (!take) return { row, draft: { ...baseOf(scene, row), errors } };
  const alone = withDraft(scene.board, row, placing).board;
  const draft: Draft = {
    ...baseOf(scene, row),
    title: shotTitle(take.shot),
    shot: shotWords(take),
    ...changesOf(scene.board, take.shot, row),
    ...goesStale(scene, alone, { shotId, jobId }),
  };
  const drawn = priced(scene, row, { draft, request: take.request, errors });
  const needs = drawn.request ? needed(known, drawn.request) : [];
  return { row, take, ...drawn, draft: { ...drawn.draft, ...(needs.length > 0 ? { needs } : {}) } };
}

/** The board with these drafts, without those that cannot be made. Extends the last board if that begins with the same drafts. */
function boardWithDrafts({ board, kept }: DraftContext, drafts: readonly ShotDraft[], placing: Placing): DraftedBoard {
  const { draftedBoard: last } = kept;
  const isFurther = last?.drafts.every((one, at) => one === drafts[at]) === true;
  let draftedBoard = isFurther ? last.board : board;
  const jobIds = new Map(isFurther ? last.jobIds : []);
  for (const one of drafts.slice(isFurther ? last.drafts.length : 0)) {
    const next = withDraft(draftedBoard, one, placing);
    if (next.errors.length > 0) continue;
    draftedBoard = next.board;
    jobIds.set(one.asked.shotId, one.asked.jobId);
  }
  kept.draftedBoard = { drafts, board: draftedBoard, jobIds };
  return kept.draftedBoard;
}

function shotWords({ index, shot }: LinkedTake): DraftShot {
  const { id: shotId, title, prompt, model, source, config, joint = 'cut' } = shot;
  return { shotId, number: index + 1, title, prompt, model, source, config, joint };
}

/** Slots are left out, because they follow from the link. */
const CHANGED_FIELDS = ['title', 'prompt', 'model', 'joint', 'config'];

function changesOf({ shots }: Board, shot: Shot, { kind }: DraftRow): { changes?: DraftChange[] } {
  const before = shots.find(({ id }) => id === shot.id);
  if (kind !== 'changeShot' || !before) return {};
  const named = changedFields(before, shot).filter(({ path: [field] }) => CHANGED_FIELDS.includes(field));
  return {
    changes: named.map(({ path, after }) => {
      const [field, setting] = path;
      const old = setting === undefined ? before[field as keyof Shot] : before.config[setting as keyof Shot['config']];
      return {
        field: path.join('.'),
        ...(old === undefined ? {} : { before: old }),
        ...(after === undefined ? {} : { after }),
      };
    }),
  };
}

/** The shots that would become outdated. */
function goesStale(
  { board, source, kept }: DraftContext,
  next: Board,
  plays: { shotId: string; jobId: string },
): Pick<Draft, 'goesStale'> {
  kept.stale ??= staleShots(board, source);
  const now = kept.stale;
  const then = staleShots(next, source, plays);
  const stale = next.shots.flatMap(({ id }, index) =>
    then.has(id) && !now.has(id) && id !== plays.shotId ? [{ shotId: id, number: index + 1 }] : [],
  );
  return stale.length > 0 ? { goesStale: stale } : {};
}

/** The drafts whose takes the request uses. */
function needed(known: readonly ShotDraft[], request: StudioRequest): string[] {
  const named = new Set(mediaRefsOf(request).flatMap(({ ref }) => ('jobId' in ref ? [ref.jobId] : [])));
  return known.filter(({ asked }) => named.has(asked.jobId)).map(({ id }) => id);
}

/** Whether both have the same quote, so that an approval of one is for the other. */
export const sameQuote = (a: DraftPreview, b: DraftPreview): boolean => a.quoteId === b.quoteId;

/** Boards with drafts on them. */

export type ShotDraft = DraftRow & { asked: Extract<DraftInput, { shotId: string }> };

export const isShotDraft = (row: DraftRow): row is ShotDraft =>
  row.asked.kind === 'newShot' || row.asked.kind === 'changeShot';

export interface Placing {
  source: FilmSource;
  /** Of the profile; an empty film uses the first. */
  models: readonly string[];
  rows: readonly DraftRow[];
}

/** The board with this draft, and the errors of the draft. */
export function withDraft(board: Board, row: ShotDraft, placing: Placing): { board: Board; errors: Reason[] } {
  const { asked } = row;
  return asked.kind === 'newShot' ? withNew(board, row, asked, placing) : withChanged(board, asked, placing);
}

type NewAsked = Extract<DraftInput, { kind: 'newShot' }>;
type ChangeAsked = Extract<DraftInput, { kind: 'changeShot' }>;

function withNew(board: Board, row: ShotDraft, asked: NewAsked, placing: Placing) {
  const { shots } = board;
  if (shots.length >= MAX_SHOTS)
    return {
      board,
      errors: [{ field: 'shots', message: `are as many as a board has, ${MAX_SHOTS}; remove one first.` }],
    };
  const at = placeOf(shots, row, asked, placing.rows);
  const shot = shotOf(
    asked,
    shots.slice(0, at).findLast(({ skipped }) => !skipped),
    placing.models,
  );
  const placed = { ...board, shots: shots.toSpliced(at, 0, shot) };
  return { board: placed, errors: faultsOf(placed, shot, { given: asked.shot, models: placing.models }) };
}

/** The position of a new shot: after earlier shots of the same call, else before later ones, else where the call asks for it. */
function placeOf(shots: readonly Shot[], row: ShotDraft, { before }: NewAsked, rows: readonly DraftRow[]): number {
  const siblings = rows.filter(
    (one): one is ShotDraft =>
      one.asked.kind === 'newShot' && one.messageId === row.messageId && one.callId === row.callId,
  );
  const indexOf = ({ asked }: ShotDraft) => shots.findIndex(({ id }) => id === asked.shotId);
  const older = siblings
    .filter(({ seq }) => seq < row.seq)
    .map(indexOf)
    .findLast((at) => at >= 0);
  if (older !== undefined) return older + 1;
  const newer = siblings
    .filter(({ seq }) => seq > row.seq)
    .map(indexOf)
    .find((at) => at >= 0);
  if (newer !== undefined) return newer;
  const named = shots.findIndex(({ id }) => id === before);
  return named < 0 ? shots.length : named;
}

/** A film has one aspect ratio, and an extension uses the model of its clip. */
function shotOf({ shotId, shot }: NewAsked, before: Shot | undefined, [first = '']: readonly string[]): Shot {
  const { title = '', prompt, model = before?.model || first, joint } = shot;
  const shape = before?.config.aspectRatio;
  const config = { ...NEW_SHOT_CONFIG, ...(shape ? { aspectRatio: shape } : {}), ...shot.config };
  const base: Shot = { id: shotId, title, prompt, model, source: 'text', config, referenceImages: [], takes: [] };
  if (joint === undefined) return base;
  const { durationSeconds: _, ...rest } = config;
  return joint === 'extend' ? { ...base, joint, source: 'extend', config: rest } : { ...base, joint };
}

function withChanged(board: Board, { shotId, patch }: ChangeAsked, { source, models }: Placing) {
  const index = board.shots.findIndex(({ id }) => id === shotId);
  const shot = board.shots[index];
  if (!shot) return { board, errors: [{ field: 'shot', message: 'is not on the board any more.' }] };
  const changed = patched(shot, patch, () => joinsNow(board, index, source));
  const next = { ...board, shots: board.shots.with(index, changed) };
  return { board: next, errors: faultsOf(next, changed, { given: patch, models }) };
}

function patched(shot: Shot, patch: ShotPatch, joins: () => Parameters<typeof withShotLink>[2]): Shot {
  const { joint, config = {}, title, prompt, model } = patch;
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(model === undefined ? {} : { model }),
  };
  const joined = joint === undefined ? shot : withShotLink(shot, joint, joins());
  return { ...joined, ...words, config: { ...joined.config, ...config } };
}

function joinsNow(board: Board, index: number, source: FilmSource) {
  const { film, assets } = readFilm(board, source);
  const before = indexBefore(film, index);
  const state = statesOf(film, { assets, cast: board.cast })[index];
  return { now: plannedLink(state?.link), from: before === undefined ? undefined : film[before]?.active };
}

/** Errors that no request has: a link needs a shot before it, and a model must exist. */
function faultsOf(
  { shots }: Board,
  shot: Shot,
  { given, models }: { given: DraftedShot | ShotPatch; models: readonly string[] },
): Reason[] {
  const index = shots.findIndex(({ id }) => id === shot.id);
  const film = shots.map((one) => ({ shot: one }));
  const isAlone = given.joint !== undefined && given.joint !== 'cut' && indexBefore(film, index) === undefined;
  const isUnknown = models.length > 0 && !models.includes(shot.model);
  const model = shot.model.slice(0, 100);
  const seconds = given.config?.durationSeconds;
  const isWrongLength = seconds !== undefined && configOfShot(shot).durationSeconds !== seconds;
  return [
    ...(isAlone ? [{ field: 'joint', message: 'needs a shot before it.' }] : []),
    ...(isUnknown ? [{ field: 'model', message: `${model} is not in this gateway’s list of video models.` }] : []),
    ...(isWrongLength ? [{ field: 'config.durationSeconds', message: 'must be 7 when extending' }] : []),
  ];
}

/** The outdated shots. With `plays`, the result is computed as if that take were selected. */
export function staleShots(board: Board, source: FilmSource, plays?: { shotId: string; jobId: string }): Set<string> {
  const { film, assets } = readFilm(board, source);
  const toCome = film.map((one) => (plays && one.shot.id === plays.shotId ? playing(one, plays.jobId) : one));
  const states = statesOf(toCome, { assets, cast: board.cast });
  return new Set(film.flatMap(({ shot }, index) => (states[index]?.isStale ? [shot.id] : [])));
}

const playing = (one: FilmShot, jobId: string): FilmShot => ({
  ...one,
  active: { jobId, number: one.takes.length + 1, job: undefined, clips: [], clip: undefined, clipIndex: 0 },
});
