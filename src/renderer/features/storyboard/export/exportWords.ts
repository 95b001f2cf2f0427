import type { Export, ExportedFile } from '../../../../shared/film/filmExport.ts';
import { plural, t } from '../../../../shared/text/texts.ts';

const FORMATS: Record<Export['kind'], string> = {
  mp4: 'MP4',
  fcpxml: 'FCPXML',
  otio: 'OTIO',
  edl: 'EDL',
  csv: 'CSV',
  files: 'files',
  conversation: 'chat',
  ledger: t`Ledger`,
  move: 'move',
  evidence: 'evidence',
  bundle: 'bundle',
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
  /** `words` count the files. */
  media: { words: string; bytes: number } | undefined;
} {
  const taken = files.filter(({ name }) => name.startsWith(MEDIA));
  const own = files.filter(({ name }) => !name.startsWith(MEDIA));
  const film = own.find(({ mime }) => mime === 'video/mp4');
  return {
    film,
    beside: own.filter((file) => file !== film),
    media: taken.length === 0 ? undefined : { words: plural(taken.length, 'file'), bytes: sum(taken) },
  };
}

const sum = (files: readonly ExportedFile[]): number => files.reduce((total, { bytes }) => total + bytes, 0);

/** Of the progress, where the sounds are measured (`film.ts`). */
const MEASURED = 4;
/** Where writing ends and reading back begins (`exportSink`). */
const READING_BACK = 90;
/** Where the film itself ends, if documents follow it. */
const FILM_WRITTEN = 77;

export interface ExportStep {
  title: string;
  state: 'done' | 'now' | 'waits';
}

/** The steps of a running export, read from its progress. */
export function stepsOf(
  { kind, progress }: Pick<Export, 'kind' | 'progress'>,
  started: { way: string; hasDocuments: boolean } | undefined,
): ExportStep[] {
  const film = started?.way === 'join' ? t`Film, joined` : started?.way === 'encode' ? t`Film, re-encoded` : t`Film`;
  const documents = t`Documents and media folder`;
  const written: [string, number][] =
    kind !== 'mp4'
      ? [[kind === 'bundle' ? t`Bundle` : documents, READING_BACK]]
      : [
          [t`Sound measured`, MEASURED],
          [film, started?.hasDocuments ? FILM_WRITTEN : READING_BACK],
          ...(started?.hasDocuments ? [[documents, READING_BACK] as [string, number]] : []),
        ];
  const steps: [string, number][] = [...written, [t`Read back and checked`, 100]];
  const now = steps.findIndex(([, end]) => progress < end);
  return steps.map(([title], index) => ({
    title,
    state: index < now || now < 0 ? 'done' : index === now ? 'now' : 'waits',
  }));
}
