import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type {
  EvidenceFault,
  EvidenceLine,
  EvidencePreview,
  EvidenceVerdict,
  evidenceCalls,
} from '../../../shared/evidence/calls.ts';
import {
  type EvidenceDocument,
  type EvidenceJob,
  type EvidenceScope,
  MAX_EVIDENCE_JOBS,
  sumsOf,
} from '../../../shared/evidence/document.ts';
import { agrees, figuresOf } from '../../../shared/evidence/figures.ts';
import { letterOf } from '../../../shared/evidence/letter.ts';
import type { EvidenceRecord } from '../../../shared/evidence/record.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { formatNano } from '../../../shared/money/money.ts';
import { counted, en, formatCount, plural, t } from '../../../shared/text/texts.ts';
import { evidenceText, type HashOfFile, verifyEvidence, verifyPath } from '../hashList/index.ts';
import type { Clock } from '../ports.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { WorkQueue } from '../timeSlicing.ts';
import {
  collectEvidence,
  type DisputedJob,
  type GatherDeps,
  missingRecords,
  recordedJobs,
  recordsBegin,
  recordsOf,
} from './evidenceRecords.ts';
import { evidenceHtml, letterHtml } from './html.ts';

interface Sink {
  writeText(name: string, mime: string, text: string): Promise<void>;
  progress(share: number): void;
}

export interface EvidenceDeps extends GatherDeps {
  store: Store;
  clock: Clock;
  version: string;
  hash: HashOfFile;
  profiles: { get(id: string): Profile | undefined; active(): Profile };
  exports: {
    start(
      wanted: { kind: 'evidence'; name: string; destination?: string | undefined; bytes: number },
      write: (sink: Sink) => Promise<Result<object>>,
    ): Promise<Result<Export>>;
    get(id: string): Result<Export>;
  };
  night: { report(runId: string): Result<{ run: { number: number } }> };
  jobs: GatherDeps['jobs'] & {
    idsOfNight(db: ReadDb, runId: string, profileId: string, limit: number): string[];
    idsBetween(db: ReadDb, period: { profileId: string; from: number; to: number }, limit: number): string[];
    gatewaysOfNight(db: ReadDb, runId: string): string[];
  };
}

type Asked = CallParsed<'evidence.preview'>;

interface Scope {
  ids: string[];
  profileId: string;
  type: EvidenceScope['type'];
  name?: string;
}

interface Found {
  document: EvidenceDocument;
  hideable: EvidencePreview['hideable'];
  letter: string[];
  titles: ReadonlyMap<string, string>;
}

/** The listed jobs on a page, for each group. */
const MOST_LISTED = 200;
/** Characters of `evidence.json` on the page. */
const JSON_SHOWN = 4_000;

/** Disputes about jobs, nights and months from their records, and the verification of records and exports. */
export class Evidence {
  private readonly deps: EvidenceDeps;
  /** The latest verification of a path. */
  private readonly queue = new WorkQueue();

  constructor(deps: EvidenceDeps) {
    this.deps = deps;
  }

  handlers(): Pick<Handlers, keyof typeof evidenceCalls> {
    return {
      'evidence.journal': ({ jobId }) => this.journal(jobId),
      'evidence.preview': (asked) => this.preview(asked),
      'evidence.dispute': (asked) => this.dispute(asked),
      'evidence.verify': (asked) => this.verify(asked),
    };
  }

  private journal(jobId: string) {
    const { read } = this.deps.store;
    const [job] = this.deps.jobs.disputed(read, [jobId]);
    if (!job) return fail('not_found', 'jobId: there is no such job.', { field: 'jobId' });
    const records = recordsOf(read, [jobId]).get(jobId) ?? [];
    const begin = recordsBegin(read);
    return ok({
      records,
      faults: faultsOf(job, records, begin),
      ...(begin === undefined ? {} : { recordsBegin: begin }),
    });
  }

  private async preview(asked: Asked): Promise<Result<EvidencePreview>> {
    const found = await this.find(asked);
    if (!found.ok) return found;
    const { document, hideable, letter, titles } = found.data;
    const lineOf = toLine(titles);
    const { jobs, gateway, scope, sums } = document;
    const [differ, agree] = [jobs.filter(disagrees), jobs.filter((job) => !disagrees(job))];
    const files = await disputeFiles(document, letter);
    const json = files.find(({ name }) => name === 'evidence.json')?.text ?? '';
    return ok({
      gateway,
      scope,
      sums,
      hideable,
      letter,
      jobs: jobs.length,
      records: jobs.reduce((sum, { count }) => sum + count, 0),
      differ: differ.slice(0, MOST_LISTED).map(lineOf),
      agree: agree.slice(0, MOST_LISTED).map(lineOf),
      agreeNano: agree.reduce((sum, { figures }) => sum + figures.chargedNano, 0),
      json: json.slice(0, JSON_SHOWN),
      jsonBytes: Buffer.byteLength(json),
      bytes: files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    });
  }

  private async dispute({ name, folder, ...asked }: CallParsed<'evidence.dispute'>): Promise<Result<Export>> {
    const found = await this.find(asked);
    if (!found.ok) return found;
    const { document, letter } = found.data;
    const files = await disputeFiles(document, letter);
    const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const wanted = { kind: 'evidence' as const, name: name ?? nameOf(document), destination: folder, bytes };
    return this.deps.exports.start(wanted, async (sink) => {
      for (const [index, file] of files.entries()) {
        await sink.writeText(file.name, file.mime, file.text);
        sink.progress((index + 1) / files.length);
      }
      return ok({});
    });
  }

  private async find(asked: Asked): Promise<Result<Found>> {
    const scope = await this.scopeOf(asked);
    if (!scope.ok) return scope;
    const { profileId, type, name } = scope.data;
    const { clock, version, profiles } = this.deps;
    const { jobs, hideable, titles } = await collectEvidence(this.deps, scope.data, asked.redact);
    const recorded = jobs.map(({ figures }) => figures.gateway).find((gateway) => gateway !== undefined);
    const profile = profiles.get(profileId);
    const known = profile && { name: profile.name, host: URL.parse(profile.baseUrl)?.host ?? '' };
    const document: EvidenceDocument = {
      format: 'dailies-evidence',
      version: 1,
      by: `Dailies ${version}`,
      at: clock.now(),
      currency: 'USD',
      gateway: recorded ?? known ?? { name: profileId, host: '' },
      scope: { type, ...(name === undefined ? {} : { name }), ...hoursOf(jobs) },
      sums: sumsOf(jobs),
      takenOut: asked.redact,
      holds: { jobs: jobs.length, records: jobs.reduce((sum, { records }) => sum + records.length, 0) },
      jobs,
    };
    return ok({ document, hideable, titles, letter: letterOf(document) });
  }

  private scopeOf(asked: Asked): Promise<Result<Scope>> | Result<Scope> {
    if (asked.jobIds) return this.ofJobs(asked.jobIds);
    return asked.nightId === undefined ? this.ofMonth(asked) : this.ofNight(asked.nightId, asked.profileId);
  }

  private ofJobs(jobIds: readonly string[]): Result<Scope> {
    const ids = [...new Set(jobIds)];
    const jobs = this.deps.jobs.disputed(this.deps.store.read, ids);
    const known = new Set(jobs.map(({ id }) => id));
    const unknown = ids.findIndex((id) => !known.has(id));
    if (unknown >= 0)
      return fail('not_found', en`jobIds.${unknown}: there is no such job.`, { field: `jobIds.${unknown}` });
    const profileId = jobs[0]?.profileId ?? '';
    const other = jobs.findIndex((job) => job.profileId !== profileId);
    if (other >= 0) {
      const field = `jobIds.${other}`;
      return fail('invalid_input', en`${field}: was sent to another gateway; a letter goes to one.`, { field });
    }
    return ok({ ids, profileId, type: 'jobs' });
  }

  private async ofNight(runId: string, asked: string | undefined): Promise<Result<Scope>> {
    const { store, jobs } = this.deps;
    const night = this.deps.night.report(runId);
    if (!night.ok) return night;
    const profileId = asked ?? jobs.gatewaysOfNight(store.read, runId)[0] ?? this.deps.profiles.active().id;
    const ids = await store.readInThread((db) => jobs.idsOfNight(db, runId, profileId, MAX_EVIDENCE_JOBS + 1));
    return bounded({ ids, profileId, type: 'night', name: String(night.data.run.number) }, 'nightId');
  }

  private async ofMonth({ month = '', profileId = this.deps.profiles.active().id }: Asked): Promise<Result<Scope>> {
    const { store, jobs } = this.deps;
    const [year = 0, number = 1] = month.split('-').map(Number);
    const period = {
      profileId,
      from: new Date(year, number - 1, 1).getTime(),
      to: new Date(year, number, 1).getTime(),
    };
    const ids = await store.readInThread((db) => jobs.idsBetween(db, period, MAX_EVIDENCE_JOBS + 1));
    return bounded({ ids, profileId, type: 'month', name: month }, 'month');
  }

  private async verify({ text, path, exportId }: CallParsed<'evidence.verify'>): Promise<Result<EvidenceVerdict>> {
    if (text !== undefined) return ok(await verifyEvidence(Buffer.from(text)));
    if (path !== undefined) return this.verifyPath(path);
    if (exportId === undefined) return ok(await this.verifyRecords());
    const one = this.deps.exports.get(exportId);
    return one.ok ? this.verifyPath(one.data.folder) : one;
  }

  /** One after the other: a folder may be large. */
  private verifyPath(destination: string): Promise<Result<EvidenceVerdict>> {
    return this.queue.add(() => verifyPath(destination, this.deps.hash));
  }

  /** Compares all records of this machine with the ledger, a few per turn. */
  private async verifyRecords(): Promise<EvidenceVerdict> {
    const { read, readInThread } = this.deps.store;
    const faults = faultsOfMissing(await readInThread(missingRecords));
    const begin = recordsBegin(read);
    let [records, jobs] = [0, 0];
    for (let ids = recordedJobs(read, '', PAGE); ids.length > 0; ids = recordedJobs(read, ids.at(-1) ?? '', PAGE)) {
      const kept = recordsOf(read, ids);
      jobs += kept.size;
      for (const own of kept.values()) records += own.length;
      for (const job of this.deps.jobs.disputed(read, ids))
        faults.push(...faultsOf(job, kept.get(job.id) ?? [], begin));
      await nextTurn();
    }
    const whole = faults.length === 0;
    const message = whole
      ? t`Complete: ${counted(records, 'record')} of ${counted(jobs, 'job')}, and the ledger agrees.`
      : t`Incomplete: ${faults[0]?.message ?? ''}`;
    return { of: 'journal', whole, message, jobs, records, faults: faults.slice(0, MOST_FAULTS) };
  }
}

const PAGE = 100;
const MOST_FAULTS = 100;

function faultsOfMissing(missing: number): EvidenceFault[] {
  if (missing <= 0) return [];
  return [{ where: 'records', message: t`${counted(missing, 'record is', 'records are')} missing.` }];
}

/** The sums of a job's records must equal the ledger. Jobs older than records have incomplete ones. */
function faultsOf(
  { id, figures }: DisputedJob,
  records: readonly EvidenceRecord[],
  begin = Number.POSITIVE_INFINITY,
): EvidenceFault[] {
  const { chargedNano, doubtNano } = figuresOf(records);
  const agreesWithLedger = chargedNano === figures.chargedNano && doubtNano === figures.doubtNano;
  const isOlder = records[0]?.what !== 'ordered' && figures.orderedAt < begin;
  if (isOlder || agreesWithLedger) return [];
  const [charged, doubt] = [formatNano(chargedNano), formatNano(doubtNano)];
  const [inLedger, doubtInLedger] = [formatNano(figures.chargedNano), formatNano(figures.doubtNano)];
  const message = t`The records have ${charged} charged and ${doubt} unconfirmed; the ledger has ${inLedger} and ${doubtInLedger}.`;
  return [{ where: id, message }];
}

async function disputeFiles(document: EvidenceDocument, letter: readonly string[]) {
  return [
    { name: 'letter.txt', mime: 'text/plain', text: `${letter.join('\n\n')}\n` },
    { name: 'letter.html', mime: 'text/html', text: letterHtml(letter) },
    { name: 'evidence.json', mime: 'application/json', text: await evidenceText(document) },
    { name: 'evidence.html', mime: 'text/html', text: await evidenceHtml(document, letter) },
  ];
}

function bounded(scope: Scope, field: string): Result<Scope> {
  const { length } = scope.ids;
  if (length === 0) return fail('not_found', en`${field}: nothing was sent to this gateway in it.`, { field });
  if (length <= MAX_EVIDENCE_JOBS) return ok(scope);
  const most = formatCount(MAX_EVIDENCE_JOBS);
  return fail('too_large', en`${field}: has more than ${most} jobs; dispute the jobs themselves.`, { field });
}

const disagrees = ({ figures }: EvidenceJob): boolean => !agrees(figures);

const toLine =
  (titles: ReadonlyMap<string, string>) =>
  ({ job, figures, count, unproven }: EvidenceJob): EvidenceLine => ({
    jobId: job,
    title: titles.get(job) ?? '',
    figures,
    records: count,
    ...(unproven ? { unproven } : {}),
  });

function hoursOf(jobs: readonly EvidenceJob[]): { from: number; to: number } {
  const starts = jobs.map(({ figures }) => figures.sentAt ?? figures.orderedAt);
  const ends = jobs.map(({ records, figures }) => records.at(-1)?.at ?? figures.sentAt ?? figures.orderedAt);
  return { from: Math.min(...starts), to: Math.max(...ends) };
}

const nameOf = ({ scope, jobs }: EvidenceDocument): string =>
  scope.type === 'jobs' ? `Evidence of ${plural(jobs.length, 'job')}` : `Evidence of ${scope.type} ${scope.name ?? ''}`;
