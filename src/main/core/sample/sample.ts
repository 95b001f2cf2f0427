import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Project, type Shot, shotSchema } from '../../../shared/board/board.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { SANDBOX_PROFILE_ID } from '../../../shared/gateway/profile.ts';
import { VERDICTS } from '../../../shared/jobs/verdict.ts';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { GENERATION_SECONDS, videoRequestSchema } from '../../../shared/kinds/video.ts';
import { en } from '../../../shared/text/texts.ts';
import type { JobCommands } from '../jobs/index.ts';
import type { Library, PreparedOutput } from '../library/index.ts';
import type { Ids } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import type { Storyboard } from '../storyboard/index.ts';

/** The bundled sample film: five shots with their takes, rendered by the sandbox. */

const takeSchema = z.strictObject({
  seed: z.int(),
  file: z.string(),
  /** Lower-case hex; a damaged file is refused. */
  sha256: z.string(),
  /** A small picture, so that none has to be made on opening. */
  thumbnail: z.string(),
  verdict: z.enum(VERDICTS).optional(),
  /** The take of the previous shot, from 0, whose last frame this take begins with. */
  from: z.int().optional(),
});
const sampleSchema = z.strictObject({
  name: z.string(),
  shots: z.array(
    z.strictObject({
      title: z.string(),
      prompt: z.string(),
      seconds: z.union(GENERATION_SECONDS.map((seconds) => z.literal(seconds))),
      takes: z.array(takeSchema).min(1),
      /** The active take, from 0. */
      active: z.int(),
      subtitles: z.array(z.strictObject({ startMs: z.int(), endMs: z.int(), text: z.string() })).default([]),
    }),
  ),
});
type SampleShot = z.infer<typeof sampleSchema>['shots'][number];
type SampleTake = z.infer<typeof takeSchema>;
type ClipFiles = Required<Pick<PreparedOutput, 'file' | 'thumbnail'>>;

export interface SampleDeps {
  store: Store;
  ids: Ids;
  jobs: Pick<JobCommands, 'writeSampleJob' | 'announce'>;
  library: Pick<Library, 'storeFile' | 'mediaWork'>;
  storyboard: Pick<Storyboard, 'addProject' | 'announceProjects'>;
  profile(id: string): Profile | undefined;
  /** The folder of clips and their list. */
  folder: string | undefined;
}

/** Opens a fresh copy of the sample film as a project; nothing is sent or billed. */
export class Sample {
  private readonly deps: SampleDeps;
  private opening: Promise<Result<Project>> | undefined;

  constructor(deps: SampleDeps) {
    this.deps = deps;
  }

  handlers(): Pick<Handlers, 'projects.openSample'> {
    return { 'projects.openSample': () => this.open() };
  }

  /** `not_found` if this copy of the program has no sample. Concurrent calls open one copy. */
  open(): Promise<Result<Project>> {
    this.opening ??= this.openCopy().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async openCopy(): Promise<Result<Project>> {
    const { folder, store, jobs } = this.deps;
    const profile = this.deps.profile(SANDBOX_PROFILE_ID);
    if (!folder || !existsSync(join(folder, 'sample.json')) || !profile) return noSample;
    const sample = sampleSchema.parse(JSON.parse(readFileSync(join(folder, 'sample.json'), 'utf8')));
    const stored = await this.storeClips(folder, sample.shots);
    if (!stored.ok) return stored;
    const opened = store.transaction((db) =>
      this.deps.storyboard.addProject(db, sample.name, (projectId) =>
        this.writeShots(db, sample.shots, { projectId, profile, files: stored.data }),
      ),
    );
    jobs.announce();
    this.deps.library.mediaWork.announce();
    this.deps.storyboard.announceProjects();
    return ok(opened.project);
  }

  private async storeClips(folder: string, shots: SampleShot[]): Promise<Result<Map<string, ClipFiles>>> {
    const files = new Map<string, ClipFiles>();
    for (const { file, sha256, thumbnail } of shots.flatMap(({ takes }) => takes)) {
      const stored = await this.deps.library.storeFile(join(folder, file));
      if (!stored.ok) return stored;
      if (stored.data.sha256 !== sha256) return fail('internal', en`The sample’s file ${file} is damaged.`);
      const small = await this.deps.library.storeFile(join(folder, thumbnail));
      if (!small.ok) return small;
      files.set(file, { file: stored.data, thumbnail: small.data });
    }
    return ok(files);
  }

  private writeShots(
    db: WriteDb,
    shots: SampleShot[],
    { projectId, profile, files }: { projectId: string; profile: Profile; files: Map<string, ClipFiles> },
  ): Shot[] {
    const model = modelsFor(KINDS.video, profile.models)[0]?.id ?? '';
    let before: string[] = [];
    return shots.map(({ title, prompt, seconds, takes, active, subtitles }) => {
      const config = {
        resolution: '720p',
        durationSeconds: seconds,
        aspectRatio: '16:9',
        generateAudio: true,
      } as const;
      const start = (take: SampleTake | undefined) => {
        const jobId = take?.from === undefined ? undefined : before[take.from];
        return jobId === undefined ? {} : { image: { jobId, frame: 'last' as const } };
      };
      const made = takes.map((take) => {
        const request = videoRequestSchema.parse({
          kind: 'video',
          model,
          prompt,
          ...start(take),
          config: { ...config, seed: take.seed },
        });
        const output = { output: { uri: '', role: 'output' as const, mime: 'video/mp4' }, ...files.get(take.file) };
        return this.deps.jobs.writeSampleJob(db, {
          request,
          profile,
          projectId,
          name: title,
          output,
          verdict: take.verdict,
        });
      });
      const image = start(takes[active]);
      before = made;
      const source = 'image' in image ? 'first' : 'text';
      const words = subtitles.map((subtitle) => ({ id: this.deps.ids.id('sub'), ...subtitle }));
      const shot = { title, prompt, model, source, config, ...image, takes: made, activeTake: made[active] };
      return shotSchema.parse({
        id: this.deps.ids.id('shot'),
        ...shot,
        ...(words.length > 0 ? { subtitles: words } : {}),
      });
    });
  }
}

const noSample = fail('not_found', en`This copy of Dailies has no sample film.`);
