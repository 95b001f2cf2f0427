import { toSend } from '../../src/shared/board/assignReferences.ts';
import type { Shot, ShotLink } from '../../src/shared/board/board.ts';
import type { CastMember } from '../../src/shared/board/cast.ts';
import { acceptedStaleMark, type ShotState, startedFrom, statesOf } from '../../src/shared/board/shotLinks.ts';
import { type FilmFacts, filmOf, filmToCome } from '../../src/shared/film/film.ts';
import type { Job, JobInput } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import type { MediaRef } from '../../src/shared/library/mediaRef.ts';

/** A film in memory: takes are made from their shots, with inputs recorded as the studio does. */
export class Film {
  shots: Shot[];
  readonly jobs = new Map<string, Job>();
  readonly assets = new Map<string, Asset>();
  cast: CastMember[] = [];

  constructor(...ids: string[]) {
    this.shots = ids.map((id) => shotNamed(id));
  }

  get facts(): FilmFacts {
    return { jobs: this.jobs, assets: this.assets };
  }

  get film() {
    return filmOf(this.shots, this.facts);
  }

  shot(id: string): Shot {
    return this.shots.find((shot) => shot.id === id) ?? shotNamed(id);
  }

  patch(id: string, patch: Partial<Shot>): this {
    this.shots = this.shots.map((shot) => (shot.id === id ? { ...shot, ...patch } : shot));
    return this;
  }

  join(id: string, joint: ShotLink): this {
    const before = this.film[this.shots.findIndex((shot) => shot.id === id) - 1]?.active;
    const end = joint === 'transition' ? { lastFrame: { assetId: 'end' } } : {};
    this.patch(id, { ...startedFrom(this.shot(id), joint, before), joint, ...end });
    return this;
  }

  /** Makes a new active take of the shot. */
  make(id: string, state: Job['state'] = 'succeeded'): string {
    const shot = toSend(this.shot(id), this.cast);
    const jobId = `${id}${shot.takes.length + 1}`;
    const isMade = state === 'succeeded';
    const fields = { first: ['image'], firstLast: ['image', 'lastFrame'], extend: ['video'], references: [], text: [] };
    const media: [string, MediaRef][] = fields[shot.source].flatMap((field) => {
      const ref = shot[field as 'image'];
      return ref ? [[field, ref] as [string, MediaRef]] : [];
    });
    const request = {
      kind: 'video',
      model: 'm',
      prompt: 'p',
      ...Object.fromEntries(media),
      ...(shot.source === 'references' ? { referenceImages: shot.referenceImages } : {}),
      cast: shot.castUses,
    } as StudioRequest;
    if (shot.source === 'references')
      media.push(...shot.referenceImages.map((ref, at): [string, MediaRef] => [`referenceImages.${at}`, ref]));
    const inputs = isMade ? media.map(([field, ref]) => this.inputOf(field, ref)) : undefined;
    const outputs = isMade ? [0, 1].map((at) => this.clip(jobId, at)) : [];
    this.jobs.set(jobId, { id: jobId, kind: 'video', state, request, outputs, ...(inputs ? { inputs } : {}) } as Job);
    return this.plays(id, jobId, [...shot.takes, jobId]);
  }

  plays(id: string, jobId: string, takes = this.shot(id).takes): string {
    this.patch(id, { takes, activeTake: jobId, activeOutput: undefined });
    return jobId;
  }

  keep(...ids: string[]): void {
    const { film } = this;
    for (const [index, { shot }] of film.entries())
      if (ids.includes(shot.id)) this.patch(shot.id, { kept: acceptedStaleMark(film, index, this) });
  }

  state(id: string): ShotState {
    const index = this.shots.findIndex((shot) => shot.id === id);
    const state = statesOf(this.film, this)[index];
    if (!state) throw new Error('There is no such shot.');
    return state;
  }

  get stale(): string {
    return this.staleOf(this.film);
  }

  /** The shots that stay outdated when everything in progress is made. */
  get staleToCome(): string {
    return this.staleOf(filmToCome(this.film));
  }

  private staleOf(film: ReturnType<typeof filmOf>): string {
    return statesOf(film, this)
      .flatMap(({ isStale }, index) => (isStale ? [this.shots[index]?.id] : []))
      .join(' ');
  }

  private clip(jobId: string, outputIndex: number): Asset {
    const of = { jobId, outputIndex, mime: 'video/mp4', seconds: 4 };
    const frame = { ...of, id: `f-${jobId}-${outputIndex}`, sha256: `frame ${jobId} ${outputIndex}`, role: 'frame' };
    const clip = { ...of, id: `c-${jobId}-${outputIndex}`, sha256: `clip ${jobId} ${outputIndex}`, role: 'output' };
    this.assets.set(frame.id, frame as Asset);
    const withFrame = { ...clip, lastFrameId: frame.id } as Asset;
    this.assets.set(clip.id, withFrame);
    return withFrame;
  }

  private inputOf(field: string, ref: MediaRef): JobInput {
    if (!('jobId' in ref)) {
      const { sha256 } = this.assets.get('assetId' in ref ? ref.assetId : '') ?? {};
      return { field, ...ref, ...(sha256 === undefined ? {} : { sha256 }) };
    }
    const { jobId, output = 0 } = ref;
    const outMs = 'frame' in ref ? ref.outMs : undefined;
    if (outMs !== undefined) return { field, jobId, output, outMs, assetId: `f-${jobId}-${output}-${outMs}` };
    const asset = this.assets.get(`${'frame' in ref ? 'f' : 'c'}-${jobId}-${output}`);
    return { field, jobId, output, ...(asset ? { assetId: asset.id, sha256: asset.sha256 } : {}) };
  }
}

const shotNamed = (id: string): Shot => ({
  ...{ id, title: '', prompt: id, model: 'm', source: 'text', config: {}, referenceImages: [], takes: [] },
});
