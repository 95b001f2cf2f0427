import type { Canvas } from '@napi-rs/canvas';
import type { Random } from '../random.ts';
import type { Grade } from './colorGrade.ts';
import { clamp01, layer, type Pen, type Rgb, smoothstep } from './drawing.ts';
import type { Mood } from './mood.ts';
import type { Noise } from './noise.ts';
import { drawWater, type Water } from './water.ts';
import { drawWeather, type Weather } from './weather.ts';

/** The tools to build a scene. Lengths are pixels; things are sized by `unit`, so that they fit tall frames too. */
export interface Kit {
  width: number;
  height: number;
  unit: number;
  random: Random;
  noise: Noise;
  mood: Mood;
}

/** A painted layer. `depth` 0 is the far end, 1 the plane of the camera's move; more is nearer. */
export interface Plane {
  canvas: Canvas;
  x: number;
  y: number;
  depth: number;
  /** Offset in pixels at a time in seconds. */
  drift?: (second: number) => [number, number];
  alpha?: (second: number) => number;
  blend?: 'screen';
}

/** A pulsing light, drawn as a sprite, which is cheap. */
export interface Light {
  x: number;
  y: number;
  radius: number;
  rgb: Rgb;
  alpha: number;
  depth: number;
  /** Brightness between 0 and 1 at a time in seconds. */
  pulse: (second: number) => number;
  drift?: (second: number) => [number, number];
  shape?: 'glow' | 'disc';
  /** Behind (default) or before the `front` layers. */
  where?: 'behind' | 'before';
}

/** Zoom and position at the start and end of eight seconds. Positions are shares, -1 to 1, of the margin that the zoom leaves. */
export interface Camera {
  from: [zoom: number, x: number, y: number];
  to: [zoom: number, x: number, y: number];
}

export interface Scene {
  name: string;
  width: number;
  height: number;
  grade: Grade;
  back: Plane[];
  water: Water | null;
  front: Plane[];
  lights: Light[];
  weather: Weather;
  camera: Camera;
  /** Motion that is more than a drift: beams, sparkles, running drops. In scene pixels, behind `front`. */
  live?: (pen: Pen, second: number) => void;
}

/** The duration of the camera's path. It eases on beyond that, so that an extension keeps moving. */
const PATH_SECONDS = 8;

/** Paints one frame of a scene. With `still` the camera does not move and the whole plane fills the frame. */
export function drawScene(pen: Pen, scene: Scene, second: number, still = false): void {
  const view = still ? { zoom: 1, x: 0, y: 0 } : viewAt(scene.camera, second);
  const place = (depth: number) => placeCamera(pen, scene, view, depth);
  for (const plane of scene.back) drawPlane(pen, plane, second, place);
  if (scene.water) {
    place(1);
    drawWater(pen, scene.water, second);
  }
  place(1);
  scene.live?.(pen, second);
  drawLights(pen, scene.lights, 'behind', second, place);
  for (const plane of scene.front) drawPlane(pen, plane, second, place);
  drawLights(pen, scene.lights, 'before', second, place);
  pen.resetTransform();
  drawWeather(pen, scene.weather, second);
}

function viewAt({ from, to }: Camera, second: number): { zoom: number; x: number; y: number } {
  const part = second / PATH_SECONDS;
  const eased = part <= 1 ? part * 0.6 + smoothstep(0, 1, part) * 0.4 : 1 + 0.35 * (1 - Math.exp(-(part - 1) * 1.7));
  const mix = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * eased;
  return { zoom: mix(0), x: mix(1), y: mix(2) };
}

/** Enlarges and moves nearer planes more, the parallax of a slow push, but never so far that an edge shows. */
function placeCamera(
  pen: Pen,
  { width, height }: Scene,
  view: { zoom: number; x: number; y: number },
  depth: number,
): void {
  const zoom = 1 + (view.zoom - 1) * (0.55 + 0.45 * depth);
  const margin = (zoom - 1) / 2;
  const x = Math.max(-1, Math.min(1, view.x)) * margin * width * 0.95;
  const y = Math.max(-1, Math.min(1, view.y)) * margin * height * 0.95;
  pen.setTransform(zoom, 0, 0, zoom, (width / 2) * (1 - zoom) - x, (height / 2) * (1 - zoom) - y);
}

function drawPlane(pen: Pen, plane: Plane, second: number, place: (depth: number) => void): void {
  place(plane.depth);
  const [dx, dy] = plane.drift?.(second) ?? [0, 0];
  pen.globalAlpha = clamp01(plane.alpha?.(second) ?? 1);
  if (plane.blend) pen.globalCompositeOperation = plane.blend;
  pen.drawImage(plane.canvas, plane.x + dx, plane.y + dy);
  pen.globalAlpha = 1;
  pen.globalCompositeOperation = 'source-over';
}

const sprites = new Map<string, Canvas>();
const SPRITE = 128;

function drawLights(
  pen: Pen,
  lights: Light[],
  where: Light['where'],
  second: number,
  place: (depth: number) => void,
): void {
  for (const light of lights) {
    if ((light.where ?? 'behind') !== where) continue;
    place(light.depth);
    const [dx, dy] = light.drift?.(second) ?? [0, 0];
    pen.globalCompositeOperation = 'screen';
    pen.globalAlpha = clamp01(light.alpha * light.pulse(second));
    const size = light.radius * 2;
    pen.drawImage(spriteOf(light), light.x + dx - light.radius, light.y + dy - light.radius, size, size);
  }
  pen.globalAlpha = 1;
  pen.globalCompositeOperation = 'source-over';
}

/** The glow of a lamp, or the disc of a light out of focus. */
function spriteOf({ rgb, shape = 'glow' }: Light): Canvas {
  const key = `${shape} ${rgb}`;
  const known = sprites.get(key);
  if (known) return known;
  const { canvas, pen } = layer(SPRITE, SPRITE);
  const middle = SPRITE / 2;
  const gradient = pen.createRadialGradient(middle, middle, 0, middle, middle, middle);
  const stops: [number, number][] =
    shape === 'glow'
      ? [
          [0, 1],
          [0.25, 0.42],
          [0.6, 0.1],
          [1, 0],
        ]
      : [
          [0, 0.75],
          [0.82, 1],
          [0.95, 0.5],
          [1, 0],
        ];
  for (const [offset, alpha] of stops) gradient.addColorStop(offset, `rgba(${rgb},${alpha})`);
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, SPRITE, SPRITE);
  sprites.set(key, canvas);
  return canvas;
}

/** The brightness of a slightly unsteady lamp. */
export function flicker(random: Random, depth = 0.12, speed = 1): (second: number) => number {
  const [phase, rate] = [random() * 6.28, (0.7 + random() * 0.9) * speed];
  return (second) =>
    1 -
    depth +
    depth * (0.6 * Math.sin(second * rate * 5.1 + phase) + 0.4 * Math.sin(second * rate * 13.7 + phase * 2));
}

/** A slow pulse between `1 - depth` and 1. */
export function breathe(random: Random, depth: number, seconds: number): (second: number) => number {
  const phase = random() * 6.28;
  return (second) => 1 - depth / 2 + (depth / 2) * Math.sin((second / seconds) * 6.28 + phase);
}
