import { configOfShot } from '../../../../shared/board/board.ts';
import { SHOT_COLUMNS, TAKE_COLUMNS } from '../../../../shared/board/shotList.ts';
import type { FilmFormat } from '../../../../shared/film/filmExport.ts';
import { withBareAddresses } from '../../../../shared/gateway/bareAddress.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import { sentSeedOf } from '../../../../shared/jobs/resultWords.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import { clipSeconds } from '../../../../shared/kinds/video.ts';
import type { VideoConfig } from '../../../../shared/kinds/videoConfig.ts';
import { NANO_PER_DOLLAR, type Nano } from '../../../../shared/money/money.ts';
import { csvCell } from '../../../../shared/tables/csv.ts';
import { MEDIA_FOLDER, type Planned, type PlannedShot } from '../plan.ts';
import { edl } from './edl.ts';
import { fcpxml } from './fcpxml.ts';
import { otio } from './otio.ts';
import { type LaidSound, timelineOf } from './timeline.ts';

/** The input of a timeline document. */
interface TimelineDocument {
  mime: string;
  text: string;
}

interface TimelineFilm {
  planned: Planned;
  project: string;
  /** The media file of each shot that has one, by shot id. */
  names: ReadonlyMap<string, string>;
  laid?: LaidSound | undefined;
  /** The export's folder, with the media folder in it. */
  folder: string;
}

/** Every format but MP4; the format is also the extension. */
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

const COLUMNS = [...SHOT_COLUMNS, ...TAKE_COLUMNS];

/** UTF-8 with a byte order mark, which spreadsheets need; CRLF (RFC 4180). */
export function shotListCsv(shots: readonly PlannedShot[], names: ReadonlyMap<string, string>): string {
  const lines = [COLUMNS.join(','), ...shots.map((one) => lineOf(one, names.get(one.segment.shotId) ?? ''))];
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

function lineOf({ segment, of }: PlannedShot, file: string): string {
  const { shot, active } = of;
  const job = active?.job;
  const request = job && isRequestOf(KINDS.video, job.request) ? job.request : undefined;
  const config = request?.config ?? configOfShot(shot);
  const cells: Record<(typeof COLUMNS)[number], string> = {
    number: String(segment.number),
    title: cell(shot.title),
    prompt: cell(request?.prompt ?? shot.prompt),
    source: shot.source,
    model: cell(request?.model ?? shot.model),
    seconds: String(clipSeconds(request ?? { config })),
    resolution: config.resolution ?? '',
    aspect: config.aspectRatio ?? '',
    audio: config.generateAudio === undefined ? '' : String(config.generateAudio),
    seed: seedCell(job, config),
    take: active ? String(active.number) : '',
    verdict: job?.verdict ?? '',
    file: csvCell(file),
    ...costCells(job?.money),
  };
  return COLUMNS.map((column) => cells[column]).join(',');
}

function costCells(money: Job['money'] | undefined) {
  if (!money) return { cost_usd: '', cost_low_usd: '', in_doubt_usd: '' };
  // No price set is not zero.
  const amount = (nano: Nano, of = nano): string => (of > 0 || !money.unpriced ? dollars(nano) : '');
  return {
    cost_usd: amount(money.chargedNano),
    cost_low_usd: amount(money.chargedLowNano, money.chargedNano),
    in_doubt_usd: amount(money.uncertainNano),
  };
}

/** The seed that was sent; without a take, the one that is set. */
const seedCell = (job: Job | undefined, { seed }: VideoConfig): string => String((job ? sentSeedOf(job) : seed) ?? '');

/** The file may leave this machine. */
const cell = (text: string): string => csvCell(withBareAddresses(text));

/** Exact, with nine decimals. */
function dollars(nano: Nano): string {
  const whole = Math.floor(nano / NANO_PER_DOLLAR);
  return `${whole}.${String(nano % NANO_PER_DOLLAR).padStart(9, '0')}`;
}
