import type { Export, ExportedFile } from '../../../../shared/filmExport.ts';

const FORMATS: Record<Export['kind'], string> = {
  mp4: 'MP4',
  fcpxml: 'FCPXML',
  otio: 'OTIO',
  edl: 'EDL',
  csv: 'CSV',
  files: 'files',
};

export const formatWords = ({ kind }: Pick<Export, 'kind'>): string => FORMATS[kind];

export function stateWords({ state, progress }: Pick<Export, 'state' | 'progress'>): string {
  return state === 'running' ? `${progress} %` : state;
}

/** The folder of the takes in an export. */
const MEDIA = 'media/';

/** What an export made: the film, the documents beside it, and its media folder as one line. */
export function filesOf({ files }: Pick<Export, 'files'>): {
  film: ExportedFile | undefined;
  beside: ExportedFile[];
  media: { count: number; bytes: number } | undefined;
} {
  const taken = files.filter(({ name }) => name.startsWith(MEDIA));
  const own = files.filter(({ name }) => !name.startsWith(MEDIA));
  const film = own.find(({ mime }) => mime === 'video/mp4');
  return {
    film,
    beside: own.filter((file) => file !== film),
    media:
      taken.length === 0 ? undefined : { count: taken.length, bytes: taken.reduce((sum, { bytes }) => sum + bytes, 0) },
  };
}

/** Of the progress, where writing ends and reading back begins (`exportSink`). */
const READING_BACK = 90;
/** Where the film itself ends, if documents follow it. */
const FILM_WRITTEN = 76;

export interface ExportStep {
  title: string;
  state: 'done' | 'now' | 'waits';
}

/** The steps of a running export, read from its progress. */
export function stepsOf(
  { kind, progress }: Pick<Export, 'kind' | 'progress'>,
  started: { way: string; hasDocuments: boolean } | undefined,
): ExportStep[] {
  const film = started?.way === 'join' ? 'Film, joined' : started?.way === 'encode' ? 'Film, re-encoded' : 'Film';
  const documents = 'Documents and media folder';
  const written: [string, number][] =
    kind === 'mp4'
      ? started?.hasDocuments
        ? [
            [film, FILM_WRITTEN],
            [documents, READING_BACK],
          ]
        : [[film, READING_BACK]]
      : [[kind === 'files' ? 'Files' : documents, READING_BACK]];
  const steps: [string, number][] = [...written, ['Read back and checked', 100]];
  const now = steps.findIndex(([, end]) => progress < end);
  return steps.map(([title], index) => ({
    title,
    state: index < now || now < 0 ? 'done' : index === now ? 'now' : 'waits',
  }));
}
