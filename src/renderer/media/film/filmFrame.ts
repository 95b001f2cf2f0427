import { FILM_PIECE_BYTES, type FilmReport, type FilmTask, filmReportSchema } from '../../../shared/film/filmTask.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { Hung } from '../loop.ts';
import { answerOver, askOver, openPorts, servePorts } from '../port.ts';
import type { FilmDesk } from './filmDesk.ts';
import type { DoFilm } from './films.ts';

/** Each film has its own ports; over one of them the frame requests its inputs. */
const FILM_PORTS = 'film';

type Ask =
  | { kind: 'bytes'; assetId: string }
  | { kind: 'write'; at: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'progress'; percent: number };

/** In the frame: makes films for the page around it. */
export const serveFilms = (makeFilm: (task: FilmTask, desk: FilmDesk) => Promise<FilmReport>): void =>
  servePorts(FILM_PORTS, (port, deskPort) => {
    const askPage = askOver(deskPort);
    const ask = (what: Ask) => askPage(what, what.kind === 'write' ? [what.bytes.buffer] : []);
    const desk: FilmDesk = {
      bytes: async (assetId) => (await ask({ kind: 'bytes', assetId })) as Blob,
      write: async (at, bytes) => void (await ask({ kind: 'write', at, bytes })),
      progress: async (percent) => void (await ask({ kind: 'progress', percent })),
    };
    answerOver<FilmTask>(port, (task) => makeFilm(task, desk));
  });

/** The ports over which a frame reports its software encoder's speed. */
const SPEED_PORTS = 'speed';

export const serveSpeed = (softwareSpeed: () => Promise<number | undefined>): void =>
  servePorts(SPEED_PORTS, (port) => answerOver(port, softwareSpeed));

/** In the page: asks for the speed; an invalid one is ignored. */
export const speedOf = (frame: Window) => async (): Promise<number | undefined> => {
  const [port] = openPorts(frame, SPEED_PORTS);
  const speed = await askOver(port)(undefined);
  port.close();
  return typeof speed === 'number' && speed > 0 && speed < 1e12 ? speed : undefined;
};

/**
 * In the page, once the frame has loaded. Requests of the frame are checked: only clips of the film, only pieces within their limit. A
 * frame that is silent for too long hangs, and `onHung` replaces it.
 */
export function filmsMadeBy(frame: Window, onHung: () => void): DoFilm {
  return async (task, desk, signal) => {
    const [port, deskPort] = openPorts(frame, FILM_PORTS);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(new Hung());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        leave();
        onHung();
      }, MEDIA_TASK_LIMIT_MS);
    };
    signal.addEventListener('abort', leave, { once: true });
    answerOver<Partial<Ask>>(deskPort, (ask) => {
      watch();
      return carryOut(ask, task, desk);
    });
    watch();
    try {
      const parsed = filmReportSchema.safeParse(await Promise.race([askOver(port)(task), left.promise]));
      if (!parsed.success) throw new Error(t`The film could not be made.`);
      return parsed.data;
    } finally {
      clearTimeout(timer);
      port.close();
      deskPort.close();
    }
  };
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
