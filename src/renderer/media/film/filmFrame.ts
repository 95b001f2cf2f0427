import { FILM_PIECE_BYTES, type FilmReport, type FilmTask, filmReportSchema } from '../../../shared/film/filmTask.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { Hung } from '../loop.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { DoFilm } from './films.ts';

/** A film that is made in a page's frame: one port each, over which the frame asks for what it needs, one thing at a time. */
export const FILM_PORT = 'film';

type Ask =
  | { kind: 'bytes'; assetId: string }
  | { kind: 'write'; at: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'progress'; percent: number };
type FromFrame = { id: number; ask: Ask } | { report: FilmReport } | { error: string };
type FromPage = { task: FilmTask } | { id: number; value?: Blob; error?: string };

/** In the frame: makes films for the page around it. */
export function serveFilms(makeFilm: (task: FilmTask, desk: FilmDesk) => Promise<FilmReport>): void {
  window.addEventListener('message', ({ source, data, ports: [port] }) => {
    if (source !== window.parent || data !== FILM_PORT || !port) return;
    const ask = asker(port);
    const desk: FilmDesk = {
      bytes: async (assetId) => (await ask({ kind: 'bytes', assetId })) as Blob,
      write: async (at, bytes) => void (await ask({ kind: 'write', at, bytes })),
      progress: async (percent) => void (await ask({ kind: 'progress', percent })),
    };
    port.addEventListener('message', ({ data }: MessageEvent<FromPage>) => {
      if (!('task' in data)) return;
      makeFilm(data.task, desk).then(
        (report) => port.postMessage({ report } satisfies FromFrame),
        (error: unknown) => port.postMessage({ error: messageOf(error) } satisfies FromFrame),
      );
    });
    port.start();
  });
}

/** A frame's port over which it says how fast its software encoder is. */
const SPEED_PORT = 'speed';

export function serveSpeed(softwareSpeed: () => Promise<number | undefined>): void {
  window.addEventListener('message', async ({ source, data, ports: [port] }) => {
    if (source !== window.parent || data !== SPEED_PORT || !port) return;
    port.postMessage(await softwareSpeed().catch(() => undefined));
  });
}

/** In the page; what is no speed counts for nothing. */
export const speedOf = (frame: Window) => (): Promise<number | undefined> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      port1.close();
      done(typeof data === 'number' && data > 0 && data < 1e12 ? data : undefined);
    };
    frame.postMessage(SPEED_PORT, '*', [port2]);
  });

function asker(port: MessagePort): (ask: Ask) => Promise<Blob | undefined> {
  const waiting = new Map<number, { done(value: Blob | undefined): void; failed(error: Error): void }>();
  let count = 0;
  port.addEventListener('message', ({ data }: MessageEvent<FromPage>) => {
    if ('task' in data) return;
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined) asked?.done(data.value);
    else asked?.failed(new Error(data.error));
  });
  return (ask) =>
    new Promise((done, failed) => {
      count += 1;
      waiting.set(count, { done, failed });
      const moved = ask.kind === 'write' ? [ask.bytes.buffer] : [];
      port.postMessage({ id: count, ask } satisfies FromFrame, moved);
    });
}

/**
 * In the page, once the frame has been loaded. What the frame asks is checked: only clips of the film, only pieces within their bound. One
 * that asks nothing for too long hangs: `onHung` replaces it.
 */
export function filmsMadeBy(frame: Window, onHung: () => void): DoFilm {
  return (task, desk, signal) =>
    new Promise((done, failed) => {
      const { port1, port2 } = new MessageChannel();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = () => {
        clearTimeout(timer);
        port1.close();
      };
      const hung = () => {
        end();
        failed(new Hung());
      };
      const watch = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          hung();
          onHung();
        }, MEDIA_TASK_LIMIT_MS);
      };
      signal.addEventListener('abort', hung, { once: true });
      port1.onmessage = async ({ data }: MessageEvent<unknown>) => {
        watch();
        const { id, ask, report, error } = (data ?? {}) as Partial<Record<'id' | 'ask' | 'report' | 'error', unknown>>;
        if (ask !== undefined) return port1.postMessage(await answered(Number(id), ask as Partial<Ask>, task, desk));
        end();
        const parsed = filmReportSchema.safeParse(report);
        if (parsed.success) done(parsed.data);
        else failed(new Error(typeof error === 'string' ? error : t`The film could not be made.`));
      };
      watch();
      // A sandboxed frame has no origin that could be named.
      frame.postMessage(FILM_PORT, '*', [port2]);
      port1.postMessage({ task } satisfies FromPage);
    });
}

async function answered(id: number, ask: Partial<Ask>, task: FilmTask, desk: FilmDesk): Promise<FromPage> {
  try {
    const value = await carryOut(ask, task, desk);
    return { id, ...(value ? { value } : {}) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

async function carryOut(ask: Partial<Ask>, { plan }: FilmTask, desk: FilmDesk): Promise<Blob | undefined> {
  const files = [...plan.segments, ...plan.mix.sources];
  if (ask.kind === 'bytes' && files.some(({ assetId }) => assetId === ask.assetId)) {
    return desk.bytes(String(ask.assetId));
  }
  if (ask.kind === 'write' && ask.bytes instanceof Uint8Array && ask.bytes.length <= FILM_PIECE_BYTES) {
    await desk.write(Number(ask.at), ask.bytes);
    return undefined;
  }
  if (ask.kind === 'progress') {
    await desk.progress(Number(ask.percent));
    return undefined;
  }
  throw new Error('The film asks for what is not its own.');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
