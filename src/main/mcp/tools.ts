import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Shot } from '../../shared/board/board.ts';
import {
  changeShotSchema,
  draftedImageSchema,
  draftedShotSchema,
  MAX_DRAFTS,
} from '../../shared/chat/director/tools.ts';
import { type FilmShot, filmOf } from '../../shared/film/film.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { requestSchema } from '../../shared/kinds/index.ts';
import { assetFacts, boardShot, draftFacts, quoteFacts, refusal, told } from './answers.ts';
import type { Studio } from './studio.ts';

/**
 * The tools of the MCP server. They read, draft and ask; none spends. Annotations are hints for the calling program; `studio.ts` enforces
 * what they may do.
 */

export interface Tool {
  name: string;
  title: string;
  says: string;
  takes: z.ZodObject;
  gives: z.ZodObject;
  /** Whether it only reads; the others add drafts or quotes. */
  reads: boolean;
  /** What must exist for it to run. */
  needs: 'studio' | 'project';
  run(args: never, asked: Asked): Promise<CallToolResult>;
}

export interface Asked {
  studio: Studio;
  /** The calling program's own name. */
  client: string;
  /** Known only to this run of the server. */
  run: string;
}

/** Ties the arguments of each tool to its schema. */
const tool = <Takes extends z.ZodObject>(
  one: Omit<Tool, 'takes' | 'run'> & {
    takes: Takes;
    run(args: z.output<Takes>, asked: Asked): Promise<CallToolResult>;
  },
): Tool => one;

const id = z.string().min(1).max(200);
const project = id.describe('the id of a project, as list_projects gives it');
const facts = z.record(z.string(), z.unknown());
const NOT_YET = 'Nothing is made or spent until the user approves it in Dailies.';

const drafted = z.object({ conversation: z.string().optional(), drafts: z.array(facts), answer: z.string() });

async function draft(
  { studio, client, run }: Asked,
  { project: projectId, ...given }: { project: string } & Record<string, unknown>,
  name: 'draft_shots' | 'change_shot' | 'draft_images',
): Promise<CallToolResult> {
  const answer = await studio.call('director.draft', { projectId, client, run, tool: name, arguments: given });
  if (!answer.ok) return refusal(answer.error);
  const { conversationId, drafts, result } = answer.data;
  if (result.error) return refusal({ code: 'invalid_input', ...result.error, data: { field: result.error.field } });
  return told({
    ...(conversationId === undefined ? {} : { conversation: conversationId }),
    drafts: drafts.map(draftFacts),
    answer: result.content,
  });
}

/** With what plays: while the chosen take is not made, another one does. */
async function filmOfShots(studio: Studio, shots: readonly Shot[]): Promise<FilmShot[]> {
  const jobs = new Map<string, Job>();
  const isMade = async (id: string): Promise<boolean> => {
    const job = await studio.call('jobs.get', { id });
    if (job.ok) jobs.set(id, job.data);
    return job.ok && job.data.state === 'succeeded';
  };
  for (const { activeTake, meanwhile, takes } of shots) {
    const chosen = [activeTake, meanwhile?.take].flatMap((one) => one ?? []);
    for (const id of [...chosen, ...takes.toReversed()]) if (await isMade(id)) break;
  }
  return filmOf(shots, { jobs, assets: new Map() });
}

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_projects',
    title: 'List projects',
    says: 'The films in Dailies, by id and name.',
    takes: z.strictObject({}),
    gives: z.object({ projects: z.array(z.object({ id: z.string(), name: z.string() })) }),
    reads: true,
    needs: 'studio',
    async run(_, { studio }) {
      const answer = await studio.call('projects.list', {});
      if (!answer.ok) return refusal(answer.error);
      return told({ projects: answer.data.projects.map(({ id: one, name }) => ({ id: one, name })) });
    },
  }),
  tool({
    name: 'read_board',
    title: 'Read a board',
    says: 'The shots of a film, in order: at most 50 at once.',
    takes: z.strictObject({
      project,
      from: z.int().min(1).max(100_000).optional().describe('the first shot, from 1'),
      count: z.int().min(1).max(50).optional(),
    }),
    gives: z.object({ shots: z.array(facts), total: z.number() }),
    reads: true,
    needs: 'project',
    async run({ project: projectId, from = 1, count = 50 }, { studio }) {
      const answer = await studio.call('storyboard.get', { projectId });
      if (!answer.ok) return refusal(answer.error);
      const { shots } = answer.data;
      const film = await filmOfShots(studio, shots.slice(from - 1, from - 1 + count));
      return told({ shots: film.map((shot, at) => boardShot(shot, from + at)), total: shots.length });
    },
  }),
  tool({
    name: 'search_library',
    title: 'Search the library',
    says: 'Clips, pictures and sounds that were made or imported, newest first, each with a link to its details.',
    takes: z.strictObject({
      text: z.string().max(1_000).optional().describe('words in its name or prompt'),
      project: project.optional(),
      limit: z.int().min(1).max(50).optional(),
    }),
    gives: z.object({ assets: z.array(facts), total: z.number() }),
    reads: true,
    needs: 'studio',
    async run({ text, project: projectId, limit = 20 }, { studio }) {
      const filter = { limit, ...(text ? { text } : {}), ...(projectId ? { projectId } : {}) };
      const answer = await studio.call('library.list', filter);
      if (!answer.ok) return refusal(answer.error);
      const { assets, total } = answer.data;
      return told({ assets: assets.map(assetFacts), total }, assets);
    },
  }),
  tool({
    name: 'draft_shots',
    title: 'Draft shots',
    says: `Drafts new shots for a film, each with its price and its quote. ${NOT_YET}`,
    takes: z.strictObject({
      project,
      shots: z.array(draftedShotSchema).min(1).max(MAX_DRAFTS),
      before: z
        .union([z.int().min(1).max(100_000), id])
        .optional()
        .describe('the shot before which to insert them'),
    }),
    gives: drafted,
    reads: false,
    needs: 'project',
    run: (args, asked) => draft(asked, args, 'draft_shots'),
  }),
  tool({
    name: 'change_shot',
    title: 'Draft a change of a shot',
    says: `Drafts a change of one shot on the board and a new take of it; only given fields change. ${NOT_YET}`,
    takes: changeShotSchema.extend({ project }),
    gives: drafted,
    reads: false,
    needs: 'project',
    run: (args, asked) => draft(asked, args, 'change_shot'),
  }),
  tool({
    name: 'draft_images',
    title: 'Draft pictures',
    says: `Drafts pictures, such as posters, each with its price and its quote. ${NOT_YET}`,
    takes: z.strictObject({ project, images: z.array(draftedImageSchema).min(1).max(MAX_DRAFTS) }),
    gives: drafted,
    reads: false,
    needs: 'project',
    run: (args, asked) => draft(asked, args, 'draft_images'),
  }),
  tool({
    name: 'change_draft',
    title: 'Change a draft',
    says: `Changes one of your open drafts; only given fields change. It gets a new quote, and the old one is void. ${NOT_YET}`,
    takes: changeShotSchema
      .omit({ shot: true })
      .extend({ draft: id, mode: draftedImageSchema.shape.mode.describe('of a picture') }),
    gives: z.object({ draft: facts }),
    reads: false,
    needs: 'project',
    async run({ draft: draftId, ...change }, { studio }) {
      const answer = await studio.call('director.change', { id: draftId, change });
      return answer.ok ? told({ draft: draftFacts(answer.data.draft) }) : refusal(answer.error);
    },
  }),
  tool({
    name: 'quote_order',
    title: 'Request approval',
    says: `Asks the user to approve a request. The quote has the hash of exactly what would be sent, its price now and its expiry. ${NOT_YET} A changed byte or price voids it.`,
    takes: z.strictObject({
      request: facts.describe('one request as JSON, such as { "kind": "imagine", "prompt": "…" }'),
      project: project.optional(),
    }),
    gives: z.object({ quote: facts }),
    reads: false,
    needs: 'studio',
    async run({ request, project: projectId }, { studio, client, run }) {
      const read = requestSchema.safeParse(request);
      if (!read.success) {
        const [issue] = read.error.issues;
        const field = ['request', ...(issue?.path ?? [])].map(String).join('.');
        return refusal({
          code: 'invalid_input',
          message: `${field}: ${issue?.message ?? 'is not valid.'}`,
          data: { field },
        });
      }
      const input = { request: read.data, client, run, ...(projectId ? { projectId } : {}) };
      const answer = await studio.call('quotes.create', input);
      return answer.ok ? told({ quote: quoteFacts(answer.data) }) : refusal(answer.error);
    },
  }),
  tool({
    name: 'look_at_quote',
    title: 'Look at a quote',
    says: 'The state of a quote: open, approved, declined or void. An approved one has its job, with links to the results.',
    takes: z.strictObject({ quote: z.string().length(64) }),
    gives: z.object({ quote: facts, job: facts.optional() }),
    reads: true,
    needs: 'studio',
    async run({ quote: quoteId }, { studio }) {
      const answer = await studio.call('quotes.get', { id: quoteId });
      if (!answer.ok) return refusal(answer.error);
      const quote = quoteFacts(answer.data);
      if (answer.data.jobId === undefined) return told({ quote });
      const made = await studio.call('jobs.get', { id: answer.data.jobId });
      if (!made.ok) return refusal(made.error);
      const { id: jobId, kind, state, reason, outputs } = made.data;
      const job = {
        job: jobId,
        kind,
        state,
        ...(reason ? { waits_for: reason } : {}),
        assets: outputs.map((one) => one.id),
      };
      return told({ quote, job }, outputs);
    },
  }),
];
