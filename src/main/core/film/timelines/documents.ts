import type { FilmFormat } from '../../../../shared/film/filmExport.ts';
import { MEDIA_FOLDER } from '../mediaNames.ts';
import type { Planned } from '../plan.ts';
import { shotListCsv } from '../shotList.ts';
import { edl } from './edl.ts';
import { fcpxml } from './fcpxml.ts';
import { type LaidSound, timelineOf } from './item.ts';
import { otio } from './otio.ts';

/** A timeline as a document that names the files of its media folder. */
export interface TimelineDocument {
  mime: string;
  text: string;
}

export interface TimelineFilm {
  planned: Planned;
  /** The project's name. */
  project: string;
  /** The media file of each shot that has one, by shot id. */
  names: ReadonlyMap<string, string>;
  /** The track that is laid under it. */
  laid?: LaidSound | undefined;
  /** The export's folder, where the media folder will be. */
  folder: string;
}

/** Every format but the movie itself; the format is also the extension. */
export const TIMELINES: Record<Exclude<FilmFormat, 'mp4'>, (film: TimelineFilm) => TimelineDocument> = {
  fcpxml: (film) => ({
    mime: 'application/xml',
    text: fcpxml(timelineOf(film.planned, film), `${film.folder}/${MEDIA_FOLDER}`),
  }),
  otio: (film) => ({ mime: 'application/json', text: otio(timelineOf(film.planned, film)) }),
  edl: (film) => ({ mime: 'text/plain', text: edl(timelineOf(film.planned, film)) }),
  csv: ({ planned, names }) => ({
    mime: 'text/csv',
    text: shotListCsv(planned.shots, new Map([...names].map(([id, name]) => [id, `${MEDIA_FOLDER}/${name}`]))),
  }),
};
