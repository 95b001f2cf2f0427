import {
  ALL_FORMATS,
  AudioSampleSink,
  BlobSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  VideoSampleSink,
} from 'mediabunny';
import { codecIn, codecWord } from '../../../shared/film/codecNames.ts';
import { packFrames, piecesOf } from '../../../shared/film/frameSeries.ts';
import { GRID_SIDE, MEASURED_AT_MOST_S, type MediaMeasures } from '../../../shared/film/measures.ts';
import { isShownAt } from '../../../shared/film/mp4EditList.ts';
import { wholeWav } from '../../../shared/film/sound/wav.ts';
import { CELL_PIXELS, gridOf, meanLab, textOfGrid } from '../../../shared/library/picture/grid.ts';
import { t } from '../../../shared/text/texts.ts';
import { type ShownPart, shownPartOf, timesOf } from '../shownPart.ts';
import { endOf, type MeasuredFrames, measureFrames, startOf } from './frames.ts';
import { measureSound } from './sound.ts';

/** Measures a clip, picture or sound; throws one sentence if it cannot be read. */
export async function measureMedia(bytes: Blob): Promise<MediaMeasures> {
  const startedAt = performance.now();
  if (bytes.type.startsWith('image/')) return measurePicture(bytes);
  const input = new Input({ source: new BlobSource(await wholeWav(bytes)), formats: ALL_FORMATS });
  try {
    return { ...(await measuresOf(input, bytes)), tookMs: Math.round(performance.now() - startedAt) };
  } finally {
    input.dispose();
  }
}

async function measuresOf(input: Input, bytes: Blob): Promise<MediaMeasures> {
  const seconds = await input.computeDuration().catch(() => {
    throw new Error('The file is not in a format that can be read here.');
  });
  if (seconds > MEASURED_AT_MOST_S) {
    throw new Error(`Only files of up to ${MEASURED_AT_MOST_S / 60} minutes are measured.`);
  }
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (!video && !audio) throw new Error('There are neither pictures nor sound in the file.');
  return {
    seconds: Math.max(0, seconds),
    ...(video ? { pictures: await picturesOf(video, await shownPartOf(video, bytes)) } : {}),
    ...(audio ? await soundOf(audio, seconds) : {}),
  };
}

/** A short clip is decoded whole, a long one in pieces that include both ends, where links are: the work is bounded. */
async function picturesOf(
  track: InputVideoTrack,
  { from, edit, last: lastShown }: ShownPart,
): Promise<NonNullable<MediaMeasures['pictures']>> {
  if (!(await track.canDecode())) {
    throw new Error(`Clips coded as ${codecWord(await codecIn(track))} cannot be decoded here.`);
  }
  const stats = await track.computePacketStats();
  const frames = (await timesOf(track)).filter((time) => isShownAt(time, edit)).length;
  const end = Math.min(await track.computeDuration(), edit?.to ?? Number.POSITIVE_INFINITY);
  const pieces = await measurePieces(track, { from, end, last: lastShown });
  const [start, last] = [pieces[0], pieces.at(-1)];
  if (!start || !last) throw new Error('The clip has no frame that can be decoded.');
  return {
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    frames,
    fps: Math.round(stats.averagePacketRate * 1_000) / 1_000,
    first: textOfGrid(start.first),
    last: textOfGrid(last.last),
    start: startOf(start.frames, from),
    end: endOf(last.frames, end),
    series: packFrames(pieces.flatMap(({ series }) => series)),
  };
}

async function measurePieces(
  track: InputVideoTrack,
  { from: start, end, last }: { from: number; end: number; last: number },
): Promise<MeasuredFrames[]> {
  const sink = new VideoSampleSink(track);
  const pieces = piecesOf(start, end);
  const measured: MeasuredFrames[] = [];
  for (const [index, { from, to }] of pieces.entries()) {
    // The container's stated end may cut off the last frame.
    const until = index === pieces.length - 1 ? last : to;
    const piece = await measureFrames(sink.samples(from, until, { verifyKeyPackets: true }));
    if (piece) measured.push(piece);
  }
  return measured;
}

/** Sound that cannot be decoded is reported and never taken for silence; the pictures are still measured. */
async function soundOf(track: InputAudioTrack, seconds: number): Promise<Pick<MediaMeasures, 'sound' | 'soundFault'>> {
  const codec = await track.getCodec();
  const name = codecWord(await codecIn(track));
  if (!(await track.canDecode())) return { soundFault: t`Dailies cannot decode ${name} sound.` };
  const sound = await measureSound(new AudioSampleSink(track).samples(), { codec, seconds }).catch(() => undefined);
  return sound ? { sound } : { soundFault: t`The ${name} sound could not be read.` };
}

/** Measures a picture as a clip of one frame; throws one sentence if it cannot be read. */
async function measurePicture(bytes: Blob): Promise<MediaMeasures> {
  const bitmap = await createImageBitmap(bytes).catch(() => {
    throw new Error('The picture cannot be decoded.');
  });
  const { width, height } = bitmap;
  const side = GRID_SIDE * CELL_PIXELS;
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser cannot draw pictures.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, side, side);
  bitmap.close();
  const grid = gridOf(context.getImageData(0, 0, side, side).data);
  const [l, a, b] = meanLab(grid);
  const cells = textOfGrid(grid);
  const frame = { at: 0, lab: [rounded(l), rounded(a), rounded(b)] as [number, number, number], change: null };
  return {
    seconds: 0,
    pictures: { width, height, frames: 1, fps: 0, first: cells, last: cells, start: [frame], end: [frame] },
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
