import type { Canvas } from '@napi-rs/canvas';
import type { Palette } from '../state/records.ts';
import { NIGHT_GRADE } from './colorGrade.ts';
import { layer } from './drawing.ts';
import type { Mood } from './mood.ts';

const SAMPLE = 24;

/** The colours of reference pictures: the tint is their mean, made more saturated; the lights are their most saturated bright colours. */
export function paletteOf(pictures: readonly Canvas[]): Palette {
  const colours = pictures.flatMap((picture) => {
    const { canvas, pen } = layer(SAMPLE, SAMPLE);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(picture, 0, 0, SAMPLE, SAMPLE);
    const data = canvas.data();
    return Array.from(
      { length: SAMPLE * SAMPLE },
      (_, at) => [data[at * 4] ?? 0, data[at * 4 + 1] ?? 0, data[at * 4 + 2] ?? 0] as const,
    );
  });
  const mean = ([0, 1, 2] as const).map(
    (channel) => colours.reduce((sum, colour) => sum + colour[channel], 0) / colours.length,
  );
  const grey = mean.reduce((sum, value) => sum + value, 0) / 3;
  const away = (value: number) =>
    Math.round(Math.max(0, Math.min(255, 96 + (grey - 96) * 0.35 + (value - grey) * 2.6)));
  const vivid = [...colours].sort((left, right) => vividness(right) - vividness(left));
  const lights = [0, 0.04, 0.1, 0.2].map((share) =>
    brightened(vivid[Math.floor(share * vivid.length)] ?? [255, 200, 140]),
  );
  return { tint: [away(mean[0] ?? 0), away(mean[1] ?? 0), away(mean[2] ?? 0)], lights };
}

/** The mood of a prompt in the colours of its references. */
export function tinted(mood: Mood, palette: Palette | undefined): Mood {
  if (!palette) return mood;
  const grade = { tint: palette.tint, strength: 0.62, exposure: NIGHT_GRADE.exposure };
  return { ...mood, grade, warm: palette.lights, mixed: palette.lights };
}

function vividness([red, green, blue]: readonly [number, number, number]): number {
  const high = Math.max(red, green, blue);
  return (high - Math.min(red, green, blue)) * (0.4 + high / 255);
}

function brightened([red, green, blue]: readonly [number, number, number]): string {
  const scale = 255 / Math.max(60, red, green, blue);
  return [red, green, blue].map((value) => Math.round(Math.min(255, value * scale * 0.86 + 36))).join(',');
}
