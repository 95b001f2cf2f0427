import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Export } from '../../src/shared/film/filmExport.ts';
import { faultsOfFcpxml } from '../helpers/fcpxmlRules.ts';
import { probeFilm } from '../helpers/ffprobe.ts';
import { faultsOfOtio } from '../helpers/otioRules.ts';

/** Four shots of 4 s, and one of 7 that extends. */
const SHOTS = 5;
const SECONDS = 23;
const FPS = 24;

/** Checks every file of an exported film of five shots: the film with ffprobe, the others as text. */
export async function expectExported(one: Export | undefined, words: string): Promise<void> {
  const names = one?.files.map(({ name }) => name) ?? [];
  const fileOf = (end: string): string => {
    const found = names.filter((name) => !name.includes('/') && name.endsWith(end));
    expect(found, `files with ${end}`).toHaveLength(1);
    return path.join(one?.folder ?? '', found[0] ?? '');
  };
  const textOf = (end: string): string => readFileSync(fileOf(end), 'utf8');

  const { streams, format, complaints } = await probeFilm(fileOf('.mp4'));
  expect(complaints).toBe('');
  expect(streams.map(({ codec_type }) => codec_type).toSorted()).toEqual(['audio', 'video']);
  expect(streams.find(({ codec_type }) => codec_type === 'video')?.nb_read_frames).toBe(String(SECONDS * FPS));
  expect(Math.abs(Number(format.duration) - SECONDS)).toBeLessThanOrEqual(1 / FPS);

  // The takes and the music track.
  expect(names.filter((name) => name.startsWith('media/'))).toHaveLength(SHOTS + 1);
  expect(faultsOfFcpxml(textOf('.fcpxml'))).toEqual([]);
  expect(faultsOfOtio(JSON.parse(textOf('.otio')))).toEqual([]);
  expect(textOf('.fcpxml').match(/<asset-clip /g)).toHaveLength(SHOTS + 1);
  expect(textOf('.otio').match(/"Clip\.\d"/g)?.length).toBeGreaterThanOrEqual(SHOTS);
  expect(textOf('.edl').match(/^\d{3} /gm)?.length).toBeGreaterThanOrEqual(SHOTS);
  expect(textOf('.csv').trim().split('\r\n')).toHaveLength(1 + SHOTS);
  for (const end of ['.srt', '.vtt']) expect(textOf(end)).toContain(words);
}
