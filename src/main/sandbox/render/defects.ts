import type { Canvas } from '@napi-rs/canvas';
import type { ClipDefect } from '../clipDefects.ts';
import { layer, type Pen } from './drawing.ts';
import { FPS, type Sound } from './encode.ts';

/** Puts the defects of a fault script into clips. */

const isIn = ({ from = 0, to = Number.POSITIVE_INFINITY }: ClipDefect, second: number): boolean =>
  second >= from - 1e-6 && second < to - 1e-6;

/** The time in the scene that is shown at a time of the clip. */
export function shownSecond(defects: readonly ClipDefect[], second: number): number {
  let shown = second;
  for (const defect of defects.filter((one) => isIn(one, second))) {
    const { what, from = 0 } = defect;
    if (what === 'frozen') shown = from;
    if (what === 'doubled') shown = from + Math.floor((Math.round((second - from) * FPS) + 1e-6) / 2) * (2 / FPS);
  }
  return shown;
}

/** Applies the defects to a painted frame. */
export function spoilFrame(pen: Pen, defects: readonly ClipDefect[], second: number): void {
  const { width, height } = pen.canvas;
  for (const { what } of defects.filter((one) => isIn(one, second))) {
    pen.resetTransform();
    if (what === 'black') {
      pen.fillStyle = '#000';
      pen.fillRect(0, 0, width, height);
    } else if (what === 'shifted') {
      pen.fillStyle = 'rgba(255, 255, 255, 0.4)';
      pen.fillRect(0, 0, width, height);
    } else if (what === 'cut') paintNegative(pen, pen.canvas);
  }
}

/** The frame inverted and upside down, so that it resembles no scene. */
function paintNegative(pen: Pen, canvas: Canvas): void {
  const { width, height } = canvas;
  const copy = layer(width, height);
  copy.pen.drawImage(canvas, 0, 0);
  pen.setTransform(1, 0, 0, -1, 0, height);
  pen.drawImage(copy.canvas, 0, 0);
  pen.resetTransform();
  pen.globalCompositeOperation = 'difference';
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.globalCompositeOperation = 'source-over';
}

/** The gain of clipped sound. */
const OVERDRIVE = 60;

/** Applies the defects to a sound in place. */
export function spoilSound({ sampleRate, samples }: Sound, defects: readonly ClipDefect[]): void {
  const frames = samples.length / 2;
  for (const { what, from = 0, to = Number.POSITIVE_INFINITY } of defects) {
    const [first, last] = [Math.round(from * sampleRate), Math.min(frames, Math.round(to * sampleRate))];
    for (let at = first; at < last; at += 1) {
      for (const place of [at, frames + at]) {
        if (what === 'silence') samples[place] = 0;
        if (what === 'clipping') samples[place] = Math.max(-1, Math.min(1, (samples[place] ?? 0) * OVERDRIVE));
      }
    }
  }
}
