import { codecWord } from '../../../../shared/film/codecNames.ts';
import type {
  Export,
  ExportedFile,
  Finding,
  FindingCode,
  Preflight,
  Stream,
} from '../../../../shared/film/filmExport.ts';
import { type FilmFrame, filmFrameOf } from '../../../../shared/film/filmFormat.ts';
import { plural, t } from '../../../../shared/text/texts.ts';
import { formatLevel } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

/** The page's view of a preflight: problems, notes and decisions. */

export interface FindingRow {
  /** Derived from the finding and its text, so that an accepted finding stays accepted. */
  key: string;
  finding: Finding;
  view: ShotView;
  /** `Shot 2 is silent` */
  title: string;
  /** The rest of the title's sentence. */
  detail: string;
}

export interface FindingGroups {
  /** Shots with nothing to show and no decision. */
  stops: FindingRow[];
  /** Notes that are not accepted yet. */
  know: FindingRow[];
  /** Decided here: shots shown as a still, and accepted notes. */
  decided: FindingRow[];
}

interface Decisions {
  /** Shots that are replaced by a still. */
  held: readonly string[];
  /** Keys of findings that were accepted. */
  accepted: readonly string[];
}

/** Findings that a still can replace. */
const HOLES: readonly FindingCode[] = ['missing', 'unavailable'];

export function groupsOf(
  { findings }: Preflight,
  shots: readonly ShotView[],
  { held, accepted }: Decisions,
): FindingGroups {
  const rows = findings.flatMap((finding) => {
    const view = shots.find(({ shot }) => shot.id === finding.shotId);
    return view ? [rowOf(finding, view)] : [];
  });
  const isDecided = ({ key, finding: { level, code, shotId, isOfTrack } }: FindingRow) =>
    level === 'stop' ? HOLES.includes(code) && !isOfTrack && held.includes(shotId) : accepted.includes(key);
  return {
    stops: rows.filter((row) => row.finding.level === 'stop' && !isDecided(row)),
    know: rows.filter((row) => row.finding.level === 'know' && !isDecided(row)),
    decided: rows.filter(isDecided),
  };
}

/** The outcome of a finding without a decision. `leavesAt`: the target loudness of the film, in LUFS. */
export function outcomeOf({ level, code }: Finding, leavesAt: number | undefined): string {
  if (level === 'stop') return t`Uses a still`;
  return code === 'loudness' && leavesAt !== undefined
    ? t`Levelled to ${formatLevel(leavesAt)} LUFS`
    : t`Kept as it is`;
}

const isMeasured = ({ audioCodec, lufs }: Stream): boolean => audioCodec === undefined || lufs !== undefined;

/** How many takes with sound are not measured yet; those that cannot be measured do not count. */
export const unmeasured = (streams: readonly Stream[]): number =>
  streams.filter((one) => !isMeasured(one) && one.soundFault === undefined).length;

function rowOf(finding: Finding, view: ShotView): FindingRow {
  const { message, code, shotId } = finding;
  const at = message.search(/[:;.] /);
  const [title, rest] = at < 0 ? [message.replace(/\.$/, ''), ''] : [message.slice(0, at), message.slice(at + 2)];
  const detail = `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`.replace(/-(?=\d)/g, '−');
  return { key: `${code} ${shotId} ${message}`, finding, view, title, detail };
}

/** A column of the stream table. */
export type StreamField = 'picture' | 'rate' | 'coding' | 'sound' | 'loudness';

export interface StreamRow {
  view: ShotView;
  stream: Stream;
  words: Record<StreamField, string | undefined>;
  /** The fields that differ from most other takes. A part of a clip cannot be joined, so it always differs. */
  odd: ReadonlySet<StreamField>;
}

const COMPARED = ['picture', 'rate', 'coding', 'sound'] as const satisfies readonly StreamField[];

export function streamRows({ streams, findings }: Preflight, shots: readonly ShotView[]): StreamRow[] {
  const rows = streams.flatMap((stream) => {
    const view = shots.find(({ shot }) => shot.id === stream.shotId);
    return view && stream.width !== undefined ? [{ view, stream, words: wordsOf(stream) }] : [];
  });
  const usual = new Map(COMPARED.map((field) => [field, mostOf(rows.map(({ words }) => words[field]))]));
  const steps = new Set(findings.filter(({ code }) => code === 'loudness').map(({ shotId }) => shotId));
  return rows.map((row) => {
    const { stream, words } = row;
    const odd = new Set<StreamField>(
      COMPARED.filter((field) => words[field] !== undefined && words[field] !== usual.get(field)),
    );
    if (stream.isTrimmed) odd.add('picture');
    if (steps.has(stream.shotId)) odd.add('loudness');
    return { ...row, odd };
  });
}

function wordsOf({ width, height, fps, videoCodec, audioCodec, sampleRate, lufs }: Stream): StreamRow['words'] {
  return {
    picture: `${width} × ${height}`,
    rate: fps === undefined ? undefined : String(fps),
    coding: videoCodec === undefined ? undefined : codecName(videoCodec),
    sound: audioCodec === undefined ? t`No sound` : [codecName(audioCodec), kilohertz(sampleRate)].join(' ').trim(),
    loudness: lufs === undefined ? undefined : formatLevel(lufs, 1),
  };
}

const kilohertz = (hertz: number | undefined): string => (hertz === undefined ? '' : `${hertz / 1_000} kHz`);

/** Profiles of H.264 by their number (ISO/IEC 14496-10, A.2). */
const H264_PROFILES: Readonly<Record<string, string>> = {
  '42': 'Baseline',
  '4d': 'Main',
  '58': 'Extended',
  '64': 'High',
};

/** `avc1.640028` (RFC 6381) → `H.264 High 4.0`; for other codecs their name. */
export function codecName(codec: string): string {
  const [, profile = '', level] = /^avc[13]\.([0-9a-f]{2})[0-9a-f]{2}([0-9a-f]{2})$/i.exec(codec) ?? [];
  const details = level && [H264_PROFILES[profile.toLowerCase()], (Number.parseInt(level, 16) / 10).toFixed(1)];
  return [codecWord(codec), ...(details || [])].filter(Boolean).join(' ');
}

/** The most frequent value; the first one if several are. */
function mostOf(words: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** The film's picture format: chosen, otherwise that of most takes. */
export interface FilmPicture {
  aspectRatio: FilmFrame['aspectRatio'];
  resolution: FilmFrame['resolution'] | undefined;
  width: number;
  height: number;
  /** Chosen for the board. */
  isChosen: boolean;
  /** The takes have another size and are scaled. */
  isScaled: boolean;
}

export function pictureOf(board: BoardHandle['board'], streams: readonly Stream[]): FilmPicture {
  const sizes = streams.flatMap(({ width, height }) => (width && height ? [`${width}x${height}`] : []));
  const [width = 0, height = 0] = mostOf(sizes)?.split('x').map(Number) ?? [];
  const frame = filmFrameOf({ shots: [], ...board });
  const isChosen = board?.format?.aspectRatio !== undefined || board?.format?.resolution !== undefined;
  if (isChosen || width === 0) {
    const isScaled = width > 0 && (frame.width !== width || frame.height !== height);
    return { ...frame, isChosen, isScaled };
  }
  const short = Math.min(width, height);
  const resolution = short === 720 ? '720p' : short === 1_080 ? '1080p' : undefined;
  return { aspectRatio: height > width ? '9:16' : '16:9', resolution, width, height, isChosen, isScaled: false };
}

const FORMATS: Record<Export['kind'], string> = {
  mp4: 'MP4',
  fcpxml: 'FCPXML',
  otio: 'OTIO',
  edl: 'EDL',
  csv: 'CSV',
  files: t`Files`,
  conversation: t`Chat`,
  ledger: t`Ledger`,
  move: t`Move`,
  evidence: t`Job records`,
  bundle: t`Bundle`,
};

export const formatWords = ({ kind }: Pick<Export, 'kind'>): string => FORMATS[kind];

/** The folder of the takes inside an export. */
const MEDIA = 'media/';

/** The results of an export: the film, the documents beside it, and its media folder as one line. */
export function filesOf({ files }: Pick<Export, 'files'>): {
  film: ExportedFile | undefined;
  beside: ExportedFile[];
  /** `words` is the number of files. */
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

/** Progress in percent when the sound is measured (`film.ts`). */
const MEASURED = 4;
/** Progress when writing ends and verification begins (`exportSink`). */
const READING_BACK = 90;
/** Progress when the film itself ends, if documents follow. */
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
