import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { drawClip } from '../../../src/main/sandbox/render/clip.ts';
import type { FilmSegment, MoviePlan } from '../../../src/shared/film/filmExport.ts';
import type { FilmReport, FilmTask } from '../../../src/shared/film/filmTask.ts';
import type { MediaMeasures } from '../../../src/shared/film/measures.ts';
import { type MixInput, mixPlan } from '../../../src/shared/film/sound/mixPlan.ts';
import { TestPages } from './browser.ts';

/** The media page in a real browser, with its input files and its films. */

interface Made {
  report: FilmReport;
  largest: number;
  progress: number[];
  bytes: Buffer;
  file: string;
}

export class FilmPage {
  readonly files = new Map<string, { mime: string; bytes: Uint8Array }>();
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'film-'));
  private readonly pages: TestPages;
  private readonly page: Page;
  private made = 0;

  static async start(): Promise<FilmPage> {
    const pages = await TestPages.start();
    const page = await pages.open('media/index.html');
    const film = new FilmPage(pages, page);
    await page.route('**/files/*', (route) => {
      const file = film.files.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      return file ? route.fulfill({ contentType: file.mime, body: Buffer.from(file.bytes) }) : route.abort();
    });
    return film;
  }

  private constructor(pages: TestPages, page: Page) {
    this.pages = pages;
    this.page = page;
  }

  async close(): Promise<void> {
    await this.pages.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Adds a sandbox clip under this name. */
  async addClip(id: string, more: { audio?: boolean; width?: number; height?: number; seconds?: number } = {}) {
    const base = { width: 320, height: 180, seconds: 2, audio: true, seed: this.files.size + 1, references: [] };
    const { video } = await drawClip({ ...base, prompt: `shot ${id}`, ...more });
    this.files.set(id, { mime: 'video/mp4', bytes: video });
  }

  async make(task: Omit<FilmTask, 'id'>, softwareOnly = false): Promise<Made> {
    const urls = Object.fromEntries([...this.files.keys()].map((id) => [id, `/files/${id}`]));
    const answer = await this.page.evaluate(
      ([task, urls, softwareOnly]) =>
        (globalThis as unknown as { handles: { film(...of: unknown[]): Promise<unknown> } }).handles.film(
          task,
          urls,
          softwareOnly,
        ),
      [task, urls, softwareOnly] as const,
    );
    const made = answer as Omit<Made, 'bytes'> & { bytes: string; error?: string };
    if (made.error !== undefined) throw new Error(made.error);
    const bytes = Buffer.from(made.bytes, 'base64');
    this.made += 1;
    const file = path.join(this.folder, `${this.made}.mp4`);
    writeFileSync(file, bytes);
    return { ...made, bytes, file };
  }

  /** Pixels per second of the software encoder, measured by the page. */
  softwareSpeed(softwareOnly: boolean): Promise<number | undefined> {
    return this.page.evaluate(`handles.softwareSpeed({ softwareOnly: ${softwareOnly} })`);
  }

  /** The fonts that were loaded for drawing. */
  loadedFonts(): Promise<string[]> {
    return this.page.evaluate(
      `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`,
    );
  }

  /** Our own measurements of a film. */
  measure(bytes: Buffer): Promise<MediaMeasures> {
    return this.page.evaluate(
      (all) =>
        (globalThis as unknown as { handles: { measure(of: string): Promise<MediaMeasures> } }).handles.measure(all),
      bytes.toString('base64'),
    );
  }
}

type PlannedShot = Partial<FilmSegment> & Pick<FilmSegment, 'kind'>;

export const shot = (assetId: string, more: Partial<FilmSegment> = {}): PlannedShot => ({
  kind: 'clip',
  assetId,
  hasAudio: true,
  ...more,
});

/** A film of two seconds a shot at 24 frames a second by default; `mix`: its board's sound settings. */
export function planOf(
  shots: readonly PlannedShot[],
  {
    mix = {},
    ...more
  }: Partial<Omit<MoviePlan, 'mix'>> & { mix?: Partial<MixInput> & { target?: number; isAsked?: boolean } } = {},
): MoviePlan {
  const segments = shots.map((one, index): FilmSegment => {
    const base = { number: index + 1, title: '', frames: 48, seconds: 2, hasAudio: false, gainDb: 0 };
    return { shotId: `sh${index}`, ...base, ...one };
  });
  const fps = more.fps ?? { num: 24, den: 1 };
  let frames = 0;
  const spans = segments.map(({ shotId, kind, assetId, hasAudio, from, ...segment }) => {
    const start = (frames * fps.den) / fps.num;
    frames += segment.frames;
    const seconds = (segment.frames * fps.den) / fps.num;
    const part = from === undefined ? {} : { from };
    return { shotId, start, seconds, ...part, hasSound: hasAudio, ...(kind === 'clip' && assetId ? { assetId } : {}) };
  });
  const { target, isAsked = false, ...input } = mix;
  const { sources, headroom } = mixPlan({ shots: [], plan: spans, cues: [], ...input });
  return {
    projectId: 'p',
    name: 'Film',
    fps,
    width: 320,
    height: 180,
    segments,
    words: [],
    ...more,
    mix: { sources, headroom, isAsked, ...(target === undefined ? {} : { target }) },
  };
}
