import type { Canvas } from '@napi-rs/canvas';
import { randomOf } from '../random.ts';
import type { SceneRecipe } from '../state/records.ts';
import { watermarkLabel } from '../watermarkLabel.ts';
import { shownSecond, spoilFrame, spoilSound } from './defects.ts';
import { clamp01, layer, type Pen, smoothstep } from './drawing.ts';
import { ClipEncoder, FPS } from './encode.ts';
import { type Mood, moodOf } from './mood.ts';
import { paletteOf, tinted } from './palette.ts';
import { fitPicture, pictureFrames } from './picture.ts';
import { drawScene } from './scene.ts';
import { buildScene, sceneFor } from './scenes/catalogue.ts';
import { composeSound } from './sound.ts';
import type { Clip, ClipSpec } from './specs.ts';
import { paintWatermark } from './watermark.ts';
import { rainfall, snowfall } from './weather.ts';

/** A shot: its frames, its sound, and how the next clip can continue it. */
interface Shot {
  paint: (pen: Pen, second: number) => void;
  scene: SceneRecipe;
  mood: Mood;
  /** The scene's name, which selects the sound. */
  place: string;
  /** Frame 0 (and the last one, if there is a second picture) must be the bare picture, so the watermark fades in. */
  watermark: (second: number) => number;
}

/** The recipe name of a moving picture, as opposed to a scene. */
const PICTURE = 'picture';
/** Seconds until a continued scene moves again after the frozen last frame. */
const THAW_SECONDS = 1.2;

/** Progress is reported after this many frames. */
const REPORT_FRAMES = 6;

/** Draws and encodes one clip. The same spec gives the same bytes (spec 2.3). */
export async function drawClip(spec: ClipSpec, report: (drawn: number) => void = () => {}): Promise<Clip> {
  const { width, height, seconds, defects = [] } = spec;
  const shot = await planShot(spec);
  const overlay = spec.isUnmarked
    ? undefined
    : paintWatermark({ width, height, label: watermarkLabel(spec.prompt, spec.seed) });
  const { canvas, pen } = layer(width, height);
  const encoder = await ClipEncoder.open(width, height, spec.quantizer);
  for (let frame = 0; frame < seconds * FPS; frame += 1) {
    const second = shownSecond(defects, frame / FPS);
    pen.resetTransform();
    shot.paint(pen, second);
    pen.resetTransform();
    if (overlay) {
      pen.globalAlpha = clamp01(shot.watermark(second));
      pen.drawImage(overlay.canvas, 0, overlay.y);
      pen.globalAlpha = 1;
    }
    spoilFrame(pen, defects, frame / FPS);
    encoder.add(canvas);
    if (frame % REPORT_FRAMES === 0) report(frame / (seconds * FPS));
  }
  const sound = spec.audio ? composeSound(shot.place, shot.mood, spec.seed, seconds) : null;
  if (sound) spoilSound(sound, defects);
  return { video: await encoder.finish(sound), lastFrame: canvas.toBuffer('image/png'), scene: shot.scene };
}

function planShot(spec: ClipSpec): Promise<Shot> {
  if (spec.extends) return planExtension(spec, spec.extends);
  return spec.image ? planPicture(spec, spec.image) : planScene(spec);
}

/** Text to video, with or without reference pictures. */
async function planScene(spec: ClipSpec): Promise<Shot> {
  const { width, height, prompt, seed } = spec;
  const { name } = sceneFor(prompt, seed);
  const pictures = await Promise.all(spec.references.map((bytes) => fitPicture(bytes, width, height)));
  const palette = pictures.length ? paletteOf(pictures) : undefined;
  const mood = tinted(moodOf(prompt), palette);
  const scene = buildScene(name, spec, seed, mood);
  const pins = pictures.length ? pinned(pictures, width, height) : null;
  return {
    paint(pen, second) {
      drawScene(pen, scene, second);
      if (pins) pen.drawImage(pins.canvas, pins.x, pins.y);
    },
    scene: { name, prompt, seed, endSecond: spec.seconds, ...(palette && { palette }) },
    mood,
    place: name,
    watermark: () => 1,
  };
}

/** Image to video, and first frame to last frame. */
async function planPicture(spec: ClipSpec, image: Uint8Array): Promise<Shot> {
  const { width, height, prompt, seed, seconds } = spec;
  const first = await fitPicture(image, width, height);
  const last = spec.lastFrame ? await fitPicture(spec.lastFrame, width, height) : null;
  const place = sceneFor(prompt, seed);
  const mood = moodOf(prompt);
  const water = ['harbour', 'sea', 'dawn', 'lighthouse'].includes(place.name) && place.score > 0;
  const end = seconds - 1 / FPS;
  return {
    paint: pictureFrames({ first, last, seconds, seed, mood, water }),
    scene: { name: PICTURE, prompt, seed, endSecond: seconds },
    mood,
    place: place.name,
    watermark: (second) => smoothstep(0.3, 0.7, second) * (last ? smoothstep(0.3, 0.7, end - second) : 1),
  };
}

/** Starts with the last frame of its source. The same scene continues; if the prompt names another, it dissolves to that. */
async function planExtension(spec: ClipSpec, source: NonNullable<ClipSpec['extends']>): Promise<Shot> {
  const { width, height, prompt, seed } = spec;
  const asked = sceneFor(prompt, seed);
  const before = source.scene;
  const isNewPlace = asked.score > 0 && asked.name !== before?.name;
  if (!before || (before.name === PICTURE && !isNewPlace)) return planPicture(spec, source.lastFrame);
  const recipe: SceneRecipe = isNewPlace ? { name: asked.name, prompt, seed, endSecond: 0 } : before;
  const mood = tinted(moodOf(recipe.prompt), recipe.palette);
  const scene = buildScene(recipe.name, spec, recipe.seed, mood);
  if (scene.weather.kind !== 'none') scene.weather = freshWeather(spec, mood, scene.weather.slant);
  const frozen = await fitPicture(source.lastFrame, width, height);
  const [from, to] = isNewPlace ? [1.6, 4] : [0, THAW_SECONDS];
  const move = pictureFrames({ first: frozen, last: null, seconds: 7, seed, mood, water: false });
  const still = layer(width, height);
  return {
    paint(pen, second) {
      const gone = smoothstep(from, to, second);
      if (gone > 0) drawScene(pen, scene, recipe.endSecond + second);
      if (gone >= 1) return;
      if (isNewPlace) move(still.pen, second);
      pen.resetTransform();
      pen.globalAlpha = 1 - gone;
      pen.drawImage(isNewPlace ? still.canvas : frozen, 0, 0);
      pen.globalAlpha = 1;
    },
    scene: { ...recipe, endSecond: recipe.endSecond + spec.seconds },
    mood,
    place: recipe.name,
    // Begins after the frozen frame's own watermark has faded out.
    watermark: (second) => (isNewPlace ? smoothstep(0.3, 0.7, second) : smoothstep(to - 0.2, to + 0.4, second)),
  };
}

/** Variations of one extension share the place and differ in their weather. */
function freshWeather({ width, height, seed }: ClipSpec, mood: Mood, slant: number) {
  const random = randomOf(seed ^ 0x77a1);
  return mood.snow
    ? snowfall(random, width, height, mood.snow)
    : rainfall(random, width, height, Math.max(0.3, mood.rain), slant);
}

/** The references as small prints pinned in the corner. */
function pinned(pictures: Canvas[], width: number, height: number): { canvas: Canvas; x: number; y: number } {
  const unit = Math.min(width, height);
  const [wide, gap, edge] = [unit * 0.15, unit * 0.016, Math.max(2, unit * 0.005)];
  const high = (wide * height) / width;
  const { canvas, pen } = layer(pictures.length * (wide + gap) + gap, high + 3 * gap);
  pen.imageSmoothingQuality = 'high';
  pictures.forEach((picture, index) => {
    const [x, y] = [gap + index * (wide + gap), gap];
    pen.shadowColor = 'rgba(0,0,0,.7)';
    pen.shadowBlur = gap;
    pen.fillStyle = '#e9e7e1';
    pen.fillRect(x - edge, y - edge, wide + 2 * edge, high + 2 * edge);
    pen.shadowColor = 'transparent';
    pen.drawImage(picture, x, y, wide, high);
  });
  return { canvas, x: width - canvas.width - gap, y: height - canvas.height - gap };
}
