import { type Board, type Shot, shotTitle } from '../../../shared/board.ts';
import { changedFields } from '../../../shared/boardChanges.ts';
import type { Draft, DraftChange, DraftShot } from '../../../shared/director/draft.ts';
import { imagineRequestSchema } from '../../../shared/kinds/imagine.ts';
import { KINDS, mediaRefsOf, modelsFor, type StudioRequest } from '../../../shared/kinds/index.ts';
import type { Profile } from '../../../shared/profile.ts';
import { parseInput, type Reason, type Result, type StudioError } from '../../../shared/result.ts';
import { shortened } from '../../../shared/shortened.ts';
import type { Offer } from '../quotes/index.ts';
import { type FilmSource, type LinkedTake, linkedTakes } from '../storyboard/index.ts';
import type { DraftRow, Drawn } from './draftTable.ts';
import { isShotDraft, type Placing, type ShotDraft, staleShots, withDraft } from './placing.ts';

/** Drafts as the user sees them: what each would be on the board as it is now, and at the prices that hold now. */

/** What drafts are drawn against. */
export interface Scene {
  board: Board;
  source: FilmSource;
  profile: Profile;
  /** All drafts of the conversation, oldest first. */
  rows: readonly DraftRow[];
  /** The messages that one follows, and itself: a model knows the drafts of these only. */
  upTo(messageId: string): ReadonlySet<string>;
  /** What an approval of this request would be for. */
  offer(row: DraftRow, request: StudioRequest): Offer;
}

/** A draft with what would be made of it. */
export interface DrawnDraft extends Drawn {
  row: DraftRow;
  /** With a request. */
  offer?: Offer;
  take?: LinkedTake;
}

export function drawDraft(scene: Scene, row: DraftRow): DrawnDraft {
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

function baseOf({ profile }: Scene, row: DraftRow) {
  const { id, conversationId, messageId, callId, projectId, kind, state, createdAt } = row;
  const place = { id, conversationId, messageId, callId, projectId, kind, state, createdAt };
  return { ...place, title: '', estimateNano: 0, lowNano: 0, profileId: profile.id };
}

interface ToPrice {
  draft: Draft;
  request: Result<StudioRequest>;
  errors?: readonly Reason[];
}

/** With its price and its quote, or with what is wrong with it. */
function priced(scene: Scene, row: DraftRow, { draft, request, errors = [] }: ToPrice): Omit<DrawnDraft, 'row'> {
  const all = [...errors, ...(request.ok ? [] : reasonsOf(request.error))];
  if (!request.ok || all.length > 0) return { draft: { ...draft, errors: all } };
  const offer = scene.offer(row, request.data);
  const { estimateNano, lowNano, unpriced } = offer.document.price;
  const price = { estimateNano, lowNano, quoteId: offer.id, ...(unpriced ? { unpriced } : {}) };
  return { draft: { ...draft, ...price }, request: request.data, offer, quoteId: offer.id };
}

const reasonsOf = ({ message, data }: StudioError): Reason[] =>
  (data?.reasons as Reason[] | undefined) ?? [{ field: '', message }];

/** The open drafts that a model knew of when it asked for this one: it stands on a board with those. */
function knownTo({ rows, upTo }: Scene, row: ShotDraft): ShotDraft[] {
  const known = rows.filter(
    (one): one is ShotDraft =>
      isShotDraft(one) && one.state === 'open' && one.seq < row.seq && one.asked.shotId !== row.asked.shotId,
  );
  if (known.every(({ messageId }) => messageId === row.messageId)) return [...known, row];
  const messages = upTo(row.messageId);
  return [...known.filter(({ messageId }) => messages.has(messageId)), row];
}

function drawShot(scene: Scene, row: ShotDraft): DrawnDraft {
  const { source, profile, rows } = scene;
  const placing: Placing = { source, models: modelsFor(KINDS.video, profile.models).map(({ id }) => id), rows };
  const scope = knownTo(scene, row);
  const { board, errors, jobIds } = stoodOn(scope, row, { board: scene.board, placing });
  const { shotId, jobId } = row.asked;
  const takes = linkedTakes(source, board, new Set(jobIds.keys()), (id) => jobIds.get(id) ?? jobId);
  const take = takes.find(({ shot }) => shot.id === shotId);
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
  const needs = drawn.request ? needed(scope, row, drawn.request) : [];
  return { row, take, ...drawn, draft: { ...drawn.draft, ...(needs.length > 0 ? { needs } : {}) } };
}

/** The board with all that the draft stands on; what cannot be made is left out of it. */
function stoodOn(scope: readonly ShotDraft[], row: ShotDraft, { board, placing }: { board: Board; placing: Placing }) {
  const jobIds = new Map<string, string>();
  let stood = board;
  let errors: Reason[] = [];
  for (const one of scope) {
    const next = withDraft(stood, one, placing);
    if (one === row) errors = next.errors;
    else if (next.errors.length > 0) continue;
    stood = next.board;
    jobIds.set(one.asked.shotId, one.asked.jobId);
  }
  return { board: stood, errors, jobIds };
}

function shotWords({ index, shot }: LinkedTake): DraftShot {
  const { id: shotId, title, prompt, model, source, config, joint = 'cut' } = shot;
  return { shotId, number: index + 1, title, prompt, model, source, config, joint };
}

/** The slots follow from the joint, which is named. */
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

/** What plays in other shots and would have been made from something else. */
function goesStale(
  { board, source }: Scene,
  next: Board,
  plays: { shotId: string; jobId: string },
): Pick<Draft, 'goesStale'> {
  const now = staleShots(board, source);
  const then = staleShots(next, source, plays);
  const stale = next.shots.flatMap(({ id }, index) =>
    then.has(id) && !now.has(id) && id !== plays.shotId ? [{ shotId: id, number: index + 1 }] : [],
  );
  return stale.length > 0 ? { goesStale: stale } : {};
}

/** The drafts whose takes the request starts from. */
function needed(scope: readonly ShotDraft[], row: ShotDraft, request: StudioRequest): string[] {
  const named = new Set(mediaRefsOf(request).flatMap(({ ref }) => ('jobId' in ref ? [ref.jobId] : [])));
  return scope.filter((one) => one !== row && named.has(one.asked.jobId)).map(({ id }) => id);
}

/** What an approval is for: another quote is drawn anew and not made. */
export const sameOrder = (a: Drawn, b: Drawn): boolean => a.quoteId === b.quoteId;
