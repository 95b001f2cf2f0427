import { execFile } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { path as ffprobe } from '@ffprobe-installer/ffprobe';

interface ProbedStream {
  codec_type: string;
  codec_name: string;
  width?: number;
  height?: number;
  color_range?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  pix_fmt?: string;
  r_frame_rate: string;
  avg_frame_rate: string;
  sample_rate?: string;
  channels?: number;
  duration: string;
  start_time: string;
  /** Counted by decoding. */
  nb_read_frames: string;
}

export interface Probed {
  streams: ProbedStream[];
  format: { duration: string; format_name: string; tags?: Record<string, string> };
  /** ffprobe's messages; empty for a sound file. */
  complaints: string;
}

/** Runs ffprobe; its stdout is JSON. */
function probe(...what: string[]): Promise<{ stdout: string; stderr: string }> {
  // npm does not run the package's install script, which would do the same.
  if ((statSync(ffprobe).mode & 0o100) === 0) chmodSync(ffprobe, 0o755);
  return promisify(execFile)(ffprobe, [...what, '-of', 'json'], { maxBuffer: 64 * 1024 * 1024 });
}

/** ffprobe's description of a file, every frame decoded. */
export async function probeFilm(file: string): Promise<Probed> {
  const { stdout, stderr } = await probe('-v', 'warning', '-count_frames', '-show_streams', '-show_format', file);
  return { ...(JSON.parse(stdout) as Omit<Probed, 'complaints'>), complaints: stderr };
}

/** Runs filters over a file and returns what they put into the metadata of each frame. */
async function filtered<Name extends string>(graph: string, names: readonly Name[]): Promise<Record<Name, number>[]> {
  const { stdout } = await probe(
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    graph,
    '-show_entries',
    'frame=pts_time:frame_tags',
  );
  const { frames } = JSON.parse(stdout) as { frames: { pts_time: string; tags?: Record<string, string> }[] };
  return frames.map(({ pts_time, tags }) => {
    const known = names.map((name) => [name, figureOf(name === 'time' ? pts_time : tags?.[`lavfi.${name}`])]);
    return Object.fromEntries(known) as Record<Name, number>;
  });
}

const figureOf = (text: string | undefined): number => (text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text));

/** The level of every 10 ms of a film's sound, in dBFS (root mean square of both channels). */
export async function levelsOf(file: string): Promise<{ time: number; level: number }[]> {
  const graph = `amovie=${file},asetnsamples=480:p=0,astats=metadata=1:reset=1`;
  const all = await filtered(graph, ['time', 'astats.Overall.RMS_level']);
  return all.map((one) => ({ time: one.time, level: one['astats.Overall.RMS_level'] }));
}

/**
 * Integrated loudness in LUFS and highest true peak in dBTP of a stereo sound, measured by FFmpeg (EBU R 128); `fold`: a filter that mixes
 * it down.
 */
export async function loudnessOf(file: string, fold = 'anull'): Promise<{ lufs: number; peak: number }> {
  const graph = `amovie=${file},${fold},ebur128=metadata=1:peak=true`;
  const names = ['r128.I', 'r128.true_peaks_ch0', 'r128.true_peaks_ch1'] as const;
  // The incomplete window at the end has no value.
  const all = (await filtered(graph, names)).filter((one) => Number.isFinite(one['r128.I']));
  const peak = Math.max(...all.flatMap((one) => [one['r128.true_peaks_ch0'], one['r128.true_peaks_ch1']]));
  return { lufs: all.at(-1)?.['r128.I'] ?? Number.NaN, peak: 20 * Math.log10(peak) };
}

/** The levels of the left and the right of a whole sound, in dBFS (root mean square). */
export async function sideLevelsOf(file: string): Promise<[left: number, right: number]> {
  const all = await filtered(`amovie=${file},astats=metadata=1`, ['astats.1.RMS_level', 'astats.2.RMS_level']);
  const last = all.at(-1);
  return [last?.['astats.1.RMS_level'] ?? Number.NaN, last?.['astats.2.RMS_level'] ?? Number.NaN];
}

/** For each frame, within a part of the picture in pixels: minimum and maximum luma (0 to 255), and the 10th and 90th percentiles. */
export async function lumaOf(file: string, [x, y, width, height]: readonly [number, number, number, number]) {
  const graph = `movie=${file},crop=${width}:${height}:${x}:${y}:exact=1,signalstats`;
  const all = await filtered(graph, ['signalstats.YMIN', 'signalstats.YMAX', 'signalstats.YLOW', 'signalstats.YHIGH']);
  return all.map((one) => ({
    darkest: one['signalstats.YMIN'],
    brightest: one['signalstats.YMAX'],
    dark: one['signalstats.YLOW'],
    bright: one['signalstats.YHIGH'],
  }));
}
