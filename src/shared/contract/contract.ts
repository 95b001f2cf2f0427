import { z } from 'zod';
import {
  type Board,
  type BoardStep,
  type BoardSteps,
  boardSchema,
  type Project,
  type RemovedShot,
} from '../board/board.ts';
import { addShotsSchema, readShotsSchema, type ShotListReading } from '../board/shotList.ts';
import { makeTakeSchema, makeTakesSchema, promoteTakeSchema } from '../board/takeOrders.ts';
import { bundleCalls } from '../bundle/calls.ts';
import { chatCalls } from '../chat/chatCalls.ts';
import { directorCalls } from '../chat/director/calls.ts';
import { evidenceCalls } from '../evidence/calls.ts';
import { type Export, libraryExportSchema } from '../film/filmExport.ts';
import { filmExportCalls } from '../film/filmExportCalls.ts';
import type { ConnectionTest, FoundSetting } from '../gateway/connection.ts';
import { modelCalls } from '../gateway/modelCalls.ts';
import {
  type AtGateway,
  type KeyPlace,
  type ProfileView,
  profileInputSchema,
  secretSchema,
  type UnreadableProfile,
} from '../gateway/profile.ts';
import { webhookCalls } from '../gateway/webhookCalls.ts';
import { addedToNightSchema } from '../jobs/addedToNight.ts';
import {
  type BatchReading,
  type BatchRows,
  batchRowsSchema,
  enqueueBatchSchema,
  madeBatchSchema,
  readBatchSchema,
} from '../jobs/batch.ts';
import { type Job, VERDICTS } from '../jobs/job.ts';
import { type EndedCounts, type JobPage, jobsListSchema } from '../jobs/lists.ts';
import {
  type DryRun,
  type NightReport,
  type NightRun,
  type NightStatus,
  nightPlanSchema,
  type SavedNightPlan,
  savedNightPlanSchema,
} from '../jobs/night.ts';
import { chosenShape, isOneChoice, ONE_CHOICE, queueCalls } from '../jobs/queueCalls.ts';
import { requestSchema } from '../kinds/index.ts';
import type { Ancestry } from '../library/ancestry.ts';
import {
  type Asset,
  type AssetPage,
  type LibraryFacets,
  libraryFacetsSchema,
  libraryListSchema,
} from '../library/asset.ts';
import { assetMarkCalls } from '../library/assetMarks.ts';
import { type ChosenAssetFigures, chosenAssetsSchema, judgeManySchema } from '../library/chosenAssets.ts';
import { importCalls } from '../library/importCalls.ts';
import { libraryFolderCalls } from '../library/libraryFolder.ts';
import { maskDraftCalls } from '../library/maskDraft.ts';
import { mediaCalls } from '../library/mediaCalls.ts';
import type { FoundProvenance } from '../library/provenance.ts';
import { type SearchPage, searchAllSchema } from '../library/search/searchCall.ts';
import { nightFlag, spendingShape } from '../money/ledger.ts';
import { moneyCalls, sideShape } from '../money/moneyCalls.ts';
import { quoteCalls } from '../money/quoteCalls.ts';
import { statementCalls } from '../money/statement/calls.ts';
import { projectName } from '../text/projectName.ts';
import { triageCalls } from '../triage/calls.ts';
import { backupCalls } from './backupCalls.ts';
import { command, nothing, query } from './call.ts';
import type { Awake, QueueStatus } from './events.ts';
import { id, time } from './paging.ts';
import { diagnosticsCalls, loginCalls, updateCalls } from './programCalls.ts';
import type { Result } from './result.ts';
import { type Settings, settingsPatchSchema } from './settings.ts';

/**
 * The contract between the pages (or any tool) and the studio: name → kind, input schema, type of the answer.
 * Electron serves it over IPC, the browser host over HTTP; both parse with the schemas here and answer a {@link Result}.
 */

const byId = z.strictObject({ id });

export interface AppInfo {
  version: string;
  host: 'electron' | 'browser';
  dataDir: string;
  profileId: string;
  offline: boolean;
  /** Whether the machine is kept awake: while jobs run, and while a night or another request is open or due within 12 hours. */
  awake: Awake;
  /** The local address that receives webhooks; a tunnel that a profile names as its base points to it. */
  webhookAddress: string;
  /** What is typed for the command line: the full path of an installed program's launcher. */
  launcher?: string;
  /**
   * Set if the database is damaged: the path of the damaged file, and the backups that can replace it (`store.restore`). Over restarts,
   * until one does or `store.goOnEmpty` is called. `inPlace`: it is still in use, since the check of this run has found the damage.
   */
  recovery?: { movedTo: string; backups: { name: string; at: number; bytes: number }[]; inPlace?: true };
}

const enqueue = z.strictObject({
  requests: z.array(requestSchema).min(1).max(1_000),
  projectId: id.optional(),
  dependsOn: z.array(id).max(1_000).optional(),
  notBefore: z.int().min(0).optional(),
  /** Adds the jobs to the planned or open night: they wait for its window (`night.plan`). */
  night: nightFlag,
  ...spendingShape,
});

const billed = z.int().min(0).max(1_000_000_000_000_000);

export const contract = {
  'app.info': query<AppInfo>()(nothing),
  /** A page has rendered, so checks that must never delay it can start. */
  'app.painted': command<null>()(nothing),
  'app.openExternal': command<null>()(
    z.strictObject({ url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }) }),
  ),

  /**
   * A backup takes the place of a damaged database, or of the empty one in its place. `loses`: how many orders that were sent since the user
   * gives up; a refusal with `conflict` says how many they are.
   */
  'store.restore': command<null>()(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must be the name of a backup'),
      loses: z.int().min(0).optional(),
    }),
  ),
  /** Goes on with the empty database that took the place of a damaged one; `app.info` offers no backup any more. */
  'store.goOnEmpty': command<null>()(nothing),

  ...backupCalls,
  ...updateCalls,
  ...loginCalls,
  ...bundleCalls,

  'settings.get': query<Settings>()(nothing),
  'settings.set': command<Settings>()(settingsPatchSchema),

  /** `keyStore`: where a new key will be stored. `repairNotice`: what was done about a settings file that was damaged at this start. */
  'profiles.list': query<{
    profiles: ProfileView[];
    activeId: string;
    keyStore: 'keychain' | 'memory';
    unreadable: UnreadableProfile[];
    repairNotice?: string;
    /** Of those that have or had results only at their gateway, by id. */
    atGateway?: Record<string, AtGateway>;
  }>()(nothing),
  'profiles.save': command<ProfileView>()(profileInputSchema),
  'profiles.activate': command<{ activeId: string }>()(byId),
  'profiles.remove': command<null>()(byId),
  'profiles.setKey': command<{ stored: KeyPlace }>()(z.strictObject({ id, apiKey: secretSchema })),
  'profiles.forgetKey': command<null>()(byId),
  /** The account's balance in nano-dollars, if the service has a free query for it; otherwise null. */
  'profiles.balance': query<{ balanceNano: number | null; at: number }>()(byId),
  'profiles.testConnection': command<ConnectionTest>()(byId),
  /** What was found out of the service's dialect and is used instead of what the profile says, or where it leaves it open. */
  'profiles.found': query<{ found: FoundSetting[] }>()(byId),
  /** Forgets what was found: the profile's own settings hold again, until something else is found. */
  'profiles.undoFound': command<{ found: FoundSetting[] }>()(byId),
  /**
   * Tries the key for pictures under other header names, each alone and by asking for a task that does not exist, which nobody bills. The
   * first that is accepted becomes the profile's first.
   */
  'profiles.tryImageHeaders': command<{ accepted: string | null; tried: string[] }>()(byId),

  'jobs.enqueue': command<{ jobs: Job[] }>()(enqueue),
  'jobs.get': query<Job>()(byId),
  'jobs.list': query<JobPage>()(jobsListSchema),
  /** Of one side; without `play`, of the active profile's. */
  'jobs.ended': query<EndedCounts>()(z.strictObject({ since: time, play: sideShape.play })),
  'jobs.cancel': command<Job>()(byId),
  /**
   * `night`: a failed or canceled one is made again for the planned or open night. Calls at the same time make one job, with `jobs.retryMany`
   * too; a later call under another key is a new order, also where `retriedAs` names an earlier one. A blocked one is tried now; with `shown`
   * its higher price is confirmed.
   */
  'jobs.retry': command<Job>()(z.strictObject({ id, night: nightFlag, ...spendingShape })),
  /** Moves a waiting job before another one, or (without `before`) to the end. */
  'jobs.move': command<Job>()(z.strictObject({ id, before: id.optional() })),
  'jobs.resolve': command<Job>()(
    z.strictObject({
      id,
      /** `again` sends the same bytes under the same idempotency key, where the profile's `idempotency` is documented. */
      as: z.enum(['lookup', 'again', 'lost', 'resend']),
      /** `shown` is the price of the request, which `resend` sends once more and `again` asks for a second time. */
      ...spendingShape,
    }),
  ),
  /** What the bill says about an ended job with an open cost: 0 if it is not on the bill. */
  'jobs.settleDoubt': command<Job>()(z.strictObject({ id, billedNano: billed })),
  /** The bill has a second entry for an ended job that was asked for again: both are its cost, and its gateway is asked again no more. */
  'jobs.billedTwice': command<Job>()(z.strictObject({ id, billedNano: billed, requestKey: spendingShape.requestKey })),
  /** Lets a job of unknown price be sent once, although a hard cap applies. */
  'jobs.allowUnpriced': command<Job>()(z.strictObject({ id, ...spendingShape })),
  'jobs.judge': command<Job>()(z.strictObject({ id, verdict: z.enum(VERDICTS).nullable() })),

  /** Every prompt that a text with choices, such as `{a|b|c}`, stands for. */
  'prompts.expand': query<{ prompts: string[] }>()(z.strictObject({ text: z.string().max(100_000) })),
  /** Reads a table, JSON lines or lines of text as requests, with what is wrong in each line. Enqueues nothing. */
  'batch.read': query<BatchReading>()(readBatchSchema),
  /** Rows of a text that was read, by position or from a cursor. */
  'batch.rows': query<BatchRows>()(batchRowsSchema),
  /** What an earlier `batch.enqueue` of the same order made under this key; `null` if there was none. */
  'batch.made': query<{ made: { count: number; jobIds: string[] } | null }>()(madeBatchSchema),
  /** Enqueues what was read, all of it or nothing; `jobIds` are the first hundred. */
  'batch.enqueue': command<{ count: number; jobIds: string[] }>()(enqueueBatchSchema),

  'queue.status': query<QueueStatus>()(nothing),
  ...queueCalls,

  /** The planned or open night, the newest ended one, and the jobs that earlier nights did not run. */
  'night.get': query<NightStatus>()(nothing),
  /**
   * Plans the next night: a window, its hard cap, its rules. A planned or open night is changed; an open one keeps its start. Jobs join
   * it with `jobs.enqueue { night: true }` or `night.assign`; they wait `blocked: window` until it opens, and jobs that were not sent by
   * its end are not sent afterwards. Errors name the field.
   */
  'night.plan': command<NightRun>()(nightPlanSchema),
  /** The jobs that would be sent and those that do not fit, each with its reason: as planned, or as `plan` says. Changes nothing. */
  'night.dryRun': query<DryRun>()(
    z.strictObject({ plan: nightPlanSchema.optional(), added: addedToNightSchema.optional() }),
  ),
  /** Plans that are kept under a name, in the order of their names; a plan is made again from one with `night.plan`. */
  'night.plans': query<{ plans: SavedNightPlan[] }>()(nothing),
  /** Keeps a plan under a name; one of the same name is replaced. With an id, that plan is changed, and goes by this name. */
  'night.savePlan': command<SavedNightPlan>()(
    z.strictObject({
      id: id.optional(),
      name: z.string().trim().min(1).max(60),
      plan: savedNightPlanSchema,
    }),
  ),
  'night.removePlan': command<null>()(z.strictObject({ id })),
  /**
   * Ends the planned or open night, or this one: where it is over, nothing is changed, and the next of its days is not stopped in its place.
   * One that was planned does not open again on its days. Running jobs finish; waiting jobs stay waiting.
   */
  'night.stop': command<NightRun>()(z.strictObject({ runId: id.optional() })),
  /**
   * Moves waiting jobs into the night (`true`) or out of any, to be sent as soon as possible. All or none of them, also where
   * the program ends in the middle: none is sent before all are moved. Where the night ends meanwhile, the answer is `wrong_state`: they are
   * left over from that night, and wait. By a filter, only what waits is meant.
   */
  'night.assign': command<NightStatus>()(
    z
      .strictObject({
        ...chosenShape,
        night: z.boolean(),
        /** `shown` is of all of them together; with it, their higher prices are confirmed. */
        ...spendingShape,
      })
      .refine(isOneChoice, ONE_CHOICE),
  ),
  /**
   * The report of a night, from its jobs and its ledger entries: of `runId`, of the newest that began on a local day, or without either of
   * the newest that has begun.
   */
  'night.report': query<NightReport>()(z.strictObject({ runId: id.optional(), date: nightPlanSchema.shape.date })),

  ...chatCalls,
  ...directorCalls,
  ...quoteCalls,
  ...webhookCalls,

  /** `removed`: the restorable projects, newest removal first. */
  'projects.list': query<{ projects: Project[]; removed: Project[] }>()(nothing),
  'projects.create': command<Project>()(z.strictObject({ name: projectName })),
  /** A fresh copy of the film that comes with the program; nothing is sent for it, and it costs nothing. */
  'projects.openSample': command<Project>()(nothing),
  /** A project with the same board, whose shots name the same takes: nothing is copied or charged again. */
  'projects.duplicate': command<Project>()(z.strictObject({ id, name: projectName.optional() })),
  'projects.rename': command<Project>()(z.strictObject({ id, name: projectName })),

  /** Removes it from the list. Its board, takes and files stay, and its queued jobs still run. */
  'projects.remove': command<Project>()(byId),
  'projects.restore': command<Project>()(byId),

  /**
   * Enqueues a take of each of these shots and writes them into the board, all or none, in one transaction. Each starts from the takes of
   * this call where it is made from their shots, and waits for them; each plays once it is made.
   */
  'storyboard.makeTakes': command<{ jobs: Job[]; board: Board }>()(makeTakesSchema),
  'storyboard.get': query<Board>()(z.strictObject({ projectId: id })),
  /** Refused with `conflict` if the board has a newer revision. */
  'storyboard.save': command<Board>()(boardSchema),
  /**
   * Enqueues a take of a shot and writes it into the board, in one transaction; so is a change of its start, or a shot that is added for it:
   * one step that can be undone.
   */
  'storyboard.makeTake': command<{ job: Job; board: Board }>()(makeTakeSchema),
  /**
   * Enqueues one of the shot's takes once more at another resolution or with another model, with the words, seed, number of clips and
   * inputs that were sent, whatever the shot has become. It is another take of the shot; the one that plays goes on playing.
   */
  'storyboard.promoteTake': command<{ job: Job; board: Board }>()(promoteTakeSchema),

  /**
   * Undoes one step; consecutive edits of one field of one shot are one step. Making a take is no step, and no step removes a take that
   * was sent.
   */
  'board.undo': command<BoardStep>()(z.strictObject({ projectId: id })),
  'board.redo': command<BoardStep>()(z.strictObject({ projectId: id })),
  /** What undo and redo would do next. */
  'board.steps': query<BoardSteps>()(z.strictObject({ projectId: id })),
  /** Removed shots with their content, newest removal first. */
  'board.bin': query<{ shots: RemovedShot[] }>()(z.strictObject({ projectId: id })),
  'board.restore': command<Board>()(z.strictObject({ projectId: id, shotId: id })),

  /** Reads a shot list with what is wrong in each of its rows. Changes nothing. */
  'film.readShots': query<ShotListReading>()(readShotsSchema),
  /** Adds shots before another one, or at the end: one step that can be undone. */
  'film.addShots': command<{ board: Board; ids: string[] }>()(addShotsSchema),
  ...filmExportCalls,

  ...evidenceCalls,

  /** Everything that holds all these words, as wholes or beginnings, or a phrase in quotation marks: newest first over all types. */
  'search.all': query<SearchPage>()(searchAllSchema),

  'library.list': query<AssetPage>()(libraryListSchema),
  /** With the filter of the list, how many there are by each value that could be chosen instead. */
  'library.facets': query<LibraryFacets>()(libraryFacetsSchema),
  /** What many assets are together, and in what they differ. */
  'library.chosen': query<ChosenAssetFigures>()(chosenAssetsSchema),
  /** Judges the jobs whose results these are; assets without a job are left as they are. `judged` counts the jobs. */
  'library.judge': command<{ judged: number }>()(judgeManySchema),
  'library.get': query<Asset>()(byId),
  /** What it was made from and what was made from it, edits, frames and extensions too, nearest first. */
  'library.ancestry': query<Ancestry>()(byId),
  /** Starts an export of files, each with a sidecar of all that is known of it. */
  'library.export': command<Export>()(libraryExportSchema),
  /** Of these, the ones whose file is not on this disk any more, where the active gateway does not hold it either. */
  'library.gone': query<{ ids: string[] }>()(z.strictObject({ ids: z.array(id).max(1_000) })),
  /** What a file that came from elsewhere says of how it was made: untrusted text, to be offered for use. */
  'library.found': query<FoundProvenance>()(byId),
  /** A local file by absolute path; pages that have the bytes upload them with `PUT /media`. */
  'library.import': command<Asset>()(z.strictObject({ path: z.string().min(1).max(4_096) })),
  /** Downloads a result now: a waiting one, or an abandoned one whose link may still work. Its job keeps its state. */
  'library.download': command<Asset>()(byId),
  ...importCalls,
  ...libraryFolderCalls,
  ...diagnosticsCalls,
  ...assetMarkCalls,
  ...maskDraftCalls,
  'library.stats': query<{ assets: number; bytes: number; freeBytes: number; remote: number; expired: number }>()(
    nothing,
  ),

  ...mediaCalls,
  ...triageCalls,

  ...moneyCalls,
  ...modelCalls,
  ...statementCalls,
} as const;

export type Contract = typeof contract;
export type CallName = keyof Contract;
/** The input of a caller: defaults may be omitted. */
export type CallInput<Name extends CallName> = z.input<Contract[Name]['input']>;
/** The input of a handler: parsed, defaults filled in. */
export type CallParsed<Name extends CallName> = z.output<Contract[Name]['input']>;
export type CallOutput<Name extends CallName> =
  | NonNullable<Contract[Name]['output']>
  | (null extends Contract[Name]['output'] ? null : never);

/** One handler for every call; this type makes a missing one a compile error. */
export type Handlers = {
  [Name in CallName]: (input: CallParsed<Name>) => Result<CallOutput<Name>> | Promise<Result<CallOutput<Name>>>;
};

/** The handlers of all calls that begin with `Prefix.` */
export type HandlersOf<Prefix extends string> = Pick<Handlers, Extract<CallName, `${Prefix}.${string}`>>;

export const isCallName = (name: string): name is CallName => Object.hasOwn(contract, name);
