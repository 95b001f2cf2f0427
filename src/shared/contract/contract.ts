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
import { makeTakeSchema, makeTakesSchema, promoteTakeSchema } from '../board/takeCalls.ts';
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
import { diagnosticsCalls, loginCalls, updateCalls } from './appCalls.ts';
import { backupCalls } from './backupCalls.ts';
import { command, nothing, query } from './call.ts';
import type { Awake, QueueStatus } from './events.ts';
import { id, time } from './paging.ts';
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
  /** Whether the machine is kept awake: while jobs run, and while an overnight run or a job is open or due within 12 hours. */
  awake: Awake;
  /** The local address that receives webhooks; a tunnel that a profile names as its base points to it. */
  webhookAddress: string;
  /** The command to type: the launcher's full path. */
  launcher?: string;
  /**
   * Set if the database is damaged: the path of the damaged file, and the backups that can replace it. Stays set over restarts until
   * `store.restore` or `store.goOnEmpty` is called. `inPlace`: the file is still in use, because this run found the damage.
   */
  recovery?: { movedTo: string; backups: { name: string; at: number; bytes: number }[]; inPlace?: true };
}

const enqueue = z.strictObject({
  requests: z.array(requestSchema).min(1).max(1_000),
  projectId: id.optional(),
  dependsOn: z.array(id).max(1_000).optional(),
  notBefore: z.int().min(0).optional(),
  /** Adds the jobs to the planned or open run: they wait for its window (`night.plan`). */
  night: nightFlag,
  ...spendingShape,
});

const billed = z.int().min(0).max(1_000_000_000_000_000);

export const contract = {
  'app.info': query<AppInfo>()(nothing),
  /** A page has rendered: checks that must not delay it can start. */
  'app.painted': command<null>()(nothing),
  'app.openExternal': command<null>()(
    z.strictObject({ url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }) }),
  ),

  /**
   * Replaces a damaged database by a backup. `loses`: the number of sent jobs since the backup that the user accepts to lose; a refusal with
   * `conflict` states it.
   */
  'store.restore': command<null>()(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must be the name of a backup'),
      loses: z.int().min(0).optional(),
    }),
  ),
  /** Keeps the empty database that replaced a damaged one; `app.info` no longer offers backups. */
  'store.goOnEmpty': command<null>()(nothing),

  ...backupCalls,
  ...updateCalls,
  ...loginCalls,
  ...bundleCalls,

  'settings.get': query<Settings>()(nothing),
  'settings.set': command<Settings>()(settingsPatchSchema),

  /** `keyStore`: where a new key will be stored. `repairNotice`: how a damaged settings file was repaired at this start. */
  'profiles.list': query<{
    profiles: ProfileView[];
    activeId: string;
    keyStore: 'keychain' | 'memory';
    unreadable: UnreadableProfile[];
    repairNotice?: string;
    /** By id, for profiles with results that were only at the gateway. */
    atGateway?: Record<string, AtGateway>;
  }>()(nothing),
  'profiles.save': command<ProfileView>()(profileInputSchema),
  'profiles.activate': command<{ activeId: string }>()(byId),
  'profiles.remove': command<null>()(byId),
  'profiles.setKey': command<{ stored: KeyPlace }>()(z.strictObject({ id, apiKey: secretSchema })),
  'profiles.forgetKey': command<null>()(byId),
  /** The balance in nano-dollars; null if the gateway has no free query for it. */
  'profiles.balance': query<{ balanceNano: number | null; at: number }>()(byId),
  'profiles.testConnection': command<ConnectionTest>()(byId),
  /** The settings that were found for the gateway's API format and override those of the profile. */
  'profiles.found': query<{ found: FoundSetting[] }>()(byId),
  /** Discards what was found: the profile's own settings apply again. */
  'profiles.undoFound': command<{ found: FoundSetting[] }>()(byId),
  /**
   * Tries the key for images under other header names, each by asking for a task that does not exist, which is not billed. The first
   * accepted one becomes the profile's first.
   */
  'profiles.tryImageHeaders': command<{ accepted: string | null; tried: string[] }>()(byId),

  'jobs.enqueue': command<{ jobs: Job[] }>()(enqueue),
  'jobs.get': query<Job>()(byId),
  'jobs.list': query<JobPage>()(jobsListSchema),
  /** Counts one side; without `play`, the active profile's. */
  'jobs.ended': query<EndedCounts>()(z.strictObject({ since: time, play: sideShape.play })),
  'jobs.cancel': command<Job>()(byId),
  /**
   * `night`: the new job joins the planned or open run. Concurrent calls (`jobs.retryMany` included) make one job; a later call with another
   * key makes a new one, even if `retriedAs` names one. A blocked job is tried now; `shown` confirms its higher price.
   */
  'jobs.retry': command<Job>()(z.strictObject({ id, night: nightFlag, ...spendingShape })),
  /** Moves a queued job before another one; without `before`, to the end. */
  'jobs.move': command<Job>()(z.strictObject({ id, before: id.optional() })),
  'jobs.resolve': command<Job>()(
    z.strictObject({
      id,
      /** `again` sends the same bytes under the same idempotency key, if the profile documents `idempotency`. */
      as: z.enum(['lookup', 'again', 'lost', 'resend']),
      /** The price of the request that `resend` and `again` send. */
      ...spendingShape,
    }),
  ),
  /** Enters the bill's amount for an ended job with an unconfirmed cost; 0: not on the bill. */
  'jobs.settleDoubt': command<Job>()(z.strictObject({ id, billedNano: billed })),
  /** The bill has a second entry for a repeated job: both are its cost, and this gateway's requests are not repeated again. */
  'jobs.billedTwice': command<Job>()(z.strictObject({ id, billedNano: billed, requestKey: spendingShape.requestKey })),
  /** Sends a job without a price once, although a hard budget applies. */
  'jobs.allowUnpriced': command<Job>()(z.strictObject({ id, ...spendingShape })),
  'jobs.judge': command<Job>()(z.strictObject({ id, verdict: z.enum(VERDICTS).nullable() })),

  /** Every prompt that a text with choices, such as `{a|b|c}`, stands for. */
  'prompts.expand': query<{ prompts: string[] }>()(z.strictObject({ text: z.string().max(100_000) })),
  /** Reads a table, JSON lines or plain lines as requests, with the errors of each line. Enqueues nothing. */
  'batch.read': query<BatchReading>()(readBatchSchema),
  /** Rows of a text that was read, by position or cursor. */
  'batch.rows': query<BatchRows>()(batchRowsSchema),
  /** The result of `batch.enqueue` for this input and key; `null`: nothing was made. */
  'batch.made': query<{ made: { count: number; jobIds: string[] } | null }>()(madeBatchSchema),
  /** Enqueues everything that was read, or nothing; `jobIds` are the first hundred. */
  'batch.enqueue': command<{ count: number; jobIds: string[] }>()(enqueueBatchSchema),

  'queue.status': query<QueueStatus>()(nothing),
  ...queueCalls,

  /** The planned or open run, the newest ended one, and the jobs that earlier runs did not send. */
  'night.get': query<NightStatus>()(nothing),
  /**
   * Plans the next overnight run: window, budget, rules. A planned or open run is changed; an open one keeps its start. Jobs join it with
   * `jobs.enqueue { night: true }` or `night.assign`; they wait `blocked: window` until it opens, and are not sent after its end. Errors
   * name the field.
   */
  'night.plan': command<NightRun>()(nightPlanSchema),
  /** The jobs that would be sent and those that do not fit, with the reason; as planned, or as in `plan`. Changes nothing. */
  'night.dryRun': query<DryRun>()(
    z.strictObject({ plan: nightPlanSchema.optional(), added: addedToNightSchema.optional() }),
  ),
  /** Saved plans by name; `night.plan` makes a run from one. */
  'night.plans': query<{ plans: SavedNightPlan[] }>()(nothing),
  /** Saves a plan under a name, replacing one of the same name. With an id, that plan is changed and renamed. */
  'night.savePlan': command<SavedNightPlan>()(
    z.strictObject({
      id: id.optional(),
      name: z.string().trim().min(1).max(60),
      plan: savedNightPlanSchema,
    }),
  ),
  'night.removePlan': command<null>()(z.strictObject({ id })),
  /**
   * Ends the planned or open run, or the named one; if that one is over, nothing changes. A planned run does not open again on its days.
   * Running jobs finish; queued jobs stay queued.
   */
  'night.stop': command<NightRun>()(z.strictObject({ runId: id.optional() })),
  /**
   * Moves queued jobs into the run (`true`) or out of any, to be sent as soon as possible: all or none, even if the program ends midway. If
   * the run ends meanwhile, the answer is `wrong_state` and they wait as left over. A filter selects queued jobs only.
   */
  'night.assign': command<NightStatus>()(
    z
      .strictObject({
        ...chosenShape,
        night: z.boolean(),
        /** `shown` covers all of them; it confirms their higher prices. */
        ...spendingShape,
      })
      .refine(isOneChoice, ONE_CHOICE),
  ),
  /**
   * The report of a run, from its jobs and ledger entries: of `runId`, of the newest that began on a local day, or of the newest that has
   * begun.
   */
  'night.report': query<NightReport>()(z.strictObject({ runId: id.optional(), date: nightPlanSchema.shape.date })),

  ...chatCalls,
  ...directorCalls,
  ...quoteCalls,
  ...webhookCalls,

  /** `removed`: projects that can be restored, latest removal first. */
  'projects.list': query<{ projects: Project[]; removed: Project[] }>()(nothing),
  'projects.create': command<Project>()(z.strictObject({ name: projectName })),
  /** A fresh copy of the sample film; nothing is sent or charged. */
  'projects.openSample': command<Project>()(nothing),
  /** A project with the same board and the same takes; nothing is copied or charged. */
  'projects.duplicate': command<Project>()(z.strictObject({ id, name: projectName.optional() })),
  'projects.rename': command<Project>()(z.strictObject({ id, name: projectName })),

  /** Removes it from the list. Board, takes and files stay, and queued jobs still run. */
  'projects.remove': command<Project>()(byId),
  'projects.restore': command<Project>()(byId),

  /**
   * Enqueues a take of each of these shots and adds them to the board, all or none. A take made from another shot of the call waits for
   * that shot's take; the film shows each once it is made.
   */
  'storyboard.makeTakes': command<{ jobs: Job[]; board: Board }>()(makeTakesSchema),
  'storyboard.get': query<Board>()(z.strictObject({ projectId: id })),
  /** Refused with `conflict` if the board has a newer revision. */
  'storyboard.save': command<Board>()(boardSchema),
  /** Enqueues a take and adds it to the board, together with a changed start or an added shot: one undo step. */
  'storyboard.makeTake': command<{ job: Job; board: Board }>()(makeTakeSchema),
  /**
   * Enqueues a take again at another resolution or with another model, with the prompt, seed, number of clips and inputs that were sent.
   * The result is another take of the shot; the active take stays.
   */
  'storyboard.promoteTake': command<{ job: Job; board: Board }>()(promoteTakeSchema),

  /** Undoes one step; consecutive edits of one field are one step. Making a take is no step, and no step removes a take that was sent. */
  'board.undo': command<BoardStep>()(z.strictObject({ projectId: id })),
  'board.redo': command<BoardStep>()(z.strictObject({ projectId: id })),
  'board.steps': query<BoardSteps>()(z.strictObject({ projectId: id })),
  /** Removed shots with their content, latest removal first. */
  'board.bin': query<{ shots: RemovedShot[] }>()(z.strictObject({ projectId: id })),
  'board.restore': command<Board>()(z.strictObject({ projectId: id, shotId: id })),

  /** Reads a shot list with the errors of each row. Changes nothing. */
  'film.readShots': query<ShotListReading>()(readShotsSchema),
  /** Adds shots before another one, or at the end, as one undo step. */
  'film.addShots': command<{ board: Board; ids: string[] }>()(addShotsSchema),
  ...filmExportCalls,

  ...evidenceCalls,

  /** Everything that contains all these words, whole or as beginnings, or a phrase in quotation marks; newest first over all types. */
  'search.all': query<SearchPage>()(searchAllSchema),

  'library.list': query<AssetPage>()(libraryListSchema),
  /** For the filter of the list, the number of matches by each value of each facet. */
  'library.facets': query<LibraryFacets>()(libraryFacetsSchema),
  'library.chosen': query<ChosenAssetFigures>()(chosenAssetsSchema),
  /** Sets the verdict of the jobs that made these assets; assets without a job are ignored. `judged` counts the jobs. */
  'library.judge': command<{ judged: number }>()(judgeManySchema),
  'library.get': query<Asset>()(byId),
  /** Everything that it was made from and that was made from it, edits, frames and extensions included, nearest first. */
  'library.ancestry': query<Ancestry>()(byId),
  /** Exports files, each with a sidecar of what is known about it. */
  'library.export': command<Export>()(libraryExportSchema),
  /** The assets of these whose file is neither on this disk nor at the active gateway. */
  'library.gone': query<{ ids: string[] }>()(z.strictObject({ ids: z.array(id).max(1_000) })),
  /** The text of an imported file about how it was made: untrusted, offered for use. */
  'library.found': query<FoundProvenance>()(byId),
  /** Imports a local file by absolute path; pages that have the bytes upload them with `PUT /media`. */
  'library.import': command<Asset>()(z.strictObject({ path: z.string().min(1).max(4_096) })),
  /** Downloads a result now: one that waits, or an abandoned one whose link may still work. Its job keeps its state. */
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
