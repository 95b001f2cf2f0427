import { execFile } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { path as ffprobe } from '@ffprobe-installer/ffprobe';

interface ProbedStream {
  codec_type: string;
  codec_name: string;
  width?: number;
  height?: number;
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
  /** Every complaint; empty for a sound file. */
  complaints: string;
}

/** What ffprobe says of a file, every frame decoded. */
export async function probeFilm(file: string): Promise<Probed> {
  // Its install script, which does the same, is not run.
  if ((statSync(ffprobe).mode & 0o100) === 0) chmodSync(ffprobe, 0o755);
  const what = ['-v', 'warning', '-count_frames', '-show_streams', '-show_format', '-of', 'json'];
  const { stdout, stderr } = await promisify(execFile)(ffprobe, [...what, file], { maxBuffer: 16 * 1024 * 1024 });
  return { ...(JSON.parse(stdout) as Omit<Probed, 'complaints'>), complaints: stderr };
}
