import {
  ALL_FORMATS,
  AudioSampleSink,
  BlobSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  VideoSampleSink,
} from 'mediabunny';
import { EDGE_S, MEASURED_AT_MOST_S, type MediaMeasures } from '../../../shared/measures.ts';
import { endOf, measureFrames, startOf } from './frames.ts';
import { textOfGrid } from './grid.ts';
import { measurePicture } from './picture.ts';
import { measureSound } from './sound.ts';

/** Measures a clip, a picture or a sound; throws with one sentence where it cannot be read. */
export async function measureMedia(bytes: Blob): Promise<MediaMeasures> {
  if (bytes.type.startsWith('image/')) return measurePicture(bytes);
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  try {
    return await measuresOf(input);
  } finally {
    input.dispose();
  }
}

async function measuresOf(input: Input): Promise<MediaMeasures> {
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
    ...(video ? { pictures: await picturesOf(video) } : {}),
    ...(audio ? await soundOf(audio) : {}),
  };
}

/** Only the first and the last second are decoded: joints are there, and a clip's length does not matter. */
async function picturesOf(track: InputVideoTrack): Promise<NonNullable<MediaMeasures['pictures']>> {
  if (!(await track.canDecode())) {
    throw new Error(`Clips coded as ${(await track.getCodec()) ?? 'this'} cannot be decoded here.`);
  }
  const stats = await track.computePacketStats();
  const from = await track.getFirstTimestamp();
  const end = await track.computeDuration();
  const sink = new VideoSampleSink(track);
  const exact = { verifyKeyPackets: true };
  const start = await measureFrames(sink.samples(from, from + EDGE_S, exact));
  // One frame more, so that the first of the last second has a change; its length is not known where the rate varies.
  const last = await measureFrames(sink.samples(Math.max(from, end - EDGE_S - 0.1), Number.POSITIVE_INFINITY, exact));
  if (!start || !last) throw new Error('The clip has no frame that can be decoded.');
  return {
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    frames: stats.packetCount,
    fps: Math.round(stats.averagePacketRate * 1_000) / 1_000,
    first: textOfGrid(start.first),
    last: textOfGrid(last.last),
    start: startOf(start.frames),
    end: endOf(last.frames, end),
  };
}

/** A sound that cannot be decoded is said to be so, and never taken for silence; the pictures are still measured. */
async function soundOf(track: InputAudioTrack): Promise<Pick<MediaMeasures, 'sound' | 'soundFault'>> {
  const codec = (await track.getCodec()) ?? 'this';
  if (!(await track.canDecode())) return { soundFault: `Sound coded as ${codec} cannot be decoded here.` };
  const sound = await measureSound(new AudioSampleSink(track).samples()).catch(() => undefined);
  return sound ? { sound } : { soundFault: `The sound, coded as ${codec}, could not be read.` };
}
