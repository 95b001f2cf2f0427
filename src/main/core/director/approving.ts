import type { Board, Shot } from '../../../shared/board/board.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result, type StudioError } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import type { Engine } from '../jobs/index.ts';
import { type LinkedTake, withPlayingTake } from '../storyboard/index.ts';
import type { DraftRow } from './draftTable.ts';
import {
  type DraftContext,
  type DrawnDraft,
  isShotDraft,
  previewDraft,
  sameQuote,
  withDraft,
} from './previewDrafts.ts';

/** The plan of an approval: all drafts as they were shown, or none. */

export interface Plan {
  profile: Profile;
  requests: { row: DraftRow; request: StudioRequest; jobId: string }[];
  /** Shots to add without a take. */
  unmade: readonly DraftRow[];
  /** Undefined if there are only pictures. */
  boards?: DraftedBoards;
}

/** The board with the drafted shots and changes, and the same with their takes. */
export interface DraftedBoards {
  edited: Board;
  withTakes: Board;
}

/** Some drafts differ from those that were shown; these are their new forms. */
export interface Changed {
  changed: DrawnDraft[];
}

export const nameOf = ({ draft: { title, shot } }: DrawnDraft): string => {
  const name = `“${shortened(title, 60)}”`;
  return shot ? `Shot ${shot.number}, ${name}` : name;
};

/** The plan for these drafts, oldest first; the models are the profile's. `quotes`: those that were approved, if stated. */
export function planOf(
  scene: DraftContext,
  rows: readonly DraftRow[],
  { quotes: seen, unmade }: Pick<CallParsed<'director.approve'>, 'quotes' | 'unmade'>,
): Result<Plan | Changed> {
  const drawn = rows.map((row) => previewDraft(scene, row));
  const refusal = refusalOf(drawn, unmade);
  if (refusal) return refusal;
  const wasSeen = ({ quoteId = '' }: DrawnDraft) => seen?.includes(quoteId) !== false;
  const changed = drawn.filter((one) => !sameQuote(one, one.row.drawn) || !wasSeen(one));
  if (changed.length > 0) return ok({ changed });
  const boards = boardsWith(scene, drawn);
  const { profile } = scene;
  if (unmade) return ok({ profile, requests: [], unmade: rows, ...(boards && { boards: onlyEdited(boards) }) });
  const requests = drawn.flatMap(({ row, request }) => (request ? [{ row, request, jobId: row.asked.jobId }] : []));
  return ok({ profile, requests, unmade: [], ...(boards ? { boards } : {}) });
}

const onlyEdited = ({ edited }: DraftedBoards): DraftedBoards => ({ edited, withTakes: edited });

function refusalOf(drawn: readonly DrawnDraft[], unmade = false): Result<never> | undefined {
  const ids = new Set(drawn.map(({ row }) => row.id));
  const shots = new Set<string>();
  for (const one of drawn) {
    const why = whyNot(one) ?? (unmade ? placingFault(one) : missingDrafts(one, ids));
    if (why !== undefined) return refused(one, why);
    const shotId = one.draft.shot?.shotId;
    if (shotId === undefined) continue;
    if (shots.has(shotId)) return refused(one, 'is changed by two of these drafts. Approve one after the other.');
    shots.add(shotId);
  }
  return undefined;
}

function whyNot({ row, draft, request }: DrawnDraft): string | undefined {
  if (row.state !== 'open') return `is ${row.state} already.`;
  const [error] = draft.errors ?? [];
  if (error) return `cannot be made. ${error.field}: ${error.message}`;
  return request ? undefined : 'cannot be made.';
}

const placingFault = ({ draft }: DrawnDraft) => (draft.shot ? undefined : 'is no shot. Only shots go on the board.');

const missingDrafts = ({ draft }: DrawnDraft, ids: ReadonlySet<string>) =>
  draft.needs?.some((id) => !ids.has(id))
    ? 'starts from another draft. Approve that one too, or decline it first.'
    : undefined;

const refused = (one: DrawnDraft, why: string): Result<never> =>
  fail('wrong_state', `${nameOf(one)} ${why}`, { field: 'ids', id: one.row.id });

function boardsWith(scene: DraftContext, drawn: readonly DrawnDraft[]): DraftedBoards | undefined {
  const { source, rows } = scene;
  const placed = new Map<string, { take: LinkedTake; jobId: string }>();
  let { board } = scene;
  for (const { row, take } of drawn) {
    if (!take || !isShotDraft(row)) continue;
    board = withDraft(board, row, { source, rows, models: [] }).board;
    placed.set(row.asked.shotId, { take, jobId: row.asked.jobId });
  }
  if (placed.size === 0) return undefined;
  const shots = board.shots.map((shot): Shot => {
    const made = placed.get(shot.id);
    if (!made) return shot;
    return withPlayingTake({ shot: made.take.shot, jobId: made.jobId, meanwhile: made.take.meanwhile });
  });
  return { edited: board, withTakes: { ...board, shots } };
}

/** Validates every request before anything is written; they may depend on each other. */
export async function validated(commands: Engine['commands'], { requests, profile }: Plan): Promise<Result<null>> {
  const planned = new Map(requests.map(({ jobId, request }) => [jobId, request]));
  for (const { row, request } of requests) {
    const result = await commands.validate({ requests: [request] }, { planned, profile });
    if (!result.ok) return ofDraft(row, result.error);
  }
  return ok(null);
}

const ofDraft = ({ drawn: { draft }, id }: DraftRow, { code, message, data }: StudioError): Result<never> =>
  fail(code, `“${shortened(draft.title, 60)}”: ${message}`, { ...data, id });

export const writeInput = ({ requests }: Plan, input: CallParsed<'director.approve'>, projectId: string) => ({
  requests: requests.map(({ request }) => request),
  ids: requests.map(({ jobId }) => jobId),
  projectId,
  night: input.night,
  shown: input.shown,
});
