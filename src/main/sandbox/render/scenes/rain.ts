import type { Canvas } from '@napi-rs/canvas';
import { bokeh, drop, drops, fog, glow, layer, linear, type Pen, vertical } from '../drawing.ts';
import { person, railing } from '../figures.ts';
import { breathe, flicker, type Kit, type Light, type Plane, type Scene } from '../scene.ts';
import { CALM, drawWeather, rainfall, type Weather } from '../weather.ts';
import { finishScene } from './finishScene.ts';

/** A lamp in the rain with its cone of light, and a railing below. */
export function lamp(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, mood } = kit;
  const [x, y] = [W * (0.4 + 0.3 * r()), H * (0.26 + 0.08 * r())];
  const amber = mood.warm[0] ?? '255,176,92';
  const back = paintStreet(kit);
  const cone = paintCone(kit, x, y, amber);
  const rail = layer(W, H);
  railing(rail.pen, H * 0.79, '#050708');
  paintLamp(rail.pen, W, unit, x, y);
  const lit = rainfall(r, W, H, 1.1, 0.14);
  const pulse = flicker(r, 0.14);
  return finishScene(kit, {
    name: 'lamp',
    back: [
      { canvas: back, x: 0, y: 0, depth: 0.5 },
      { canvas: cone, x: 0, y: 0, depth: 1, alpha: (second) => 0.86 + 0.14 * pulse(second), blend: 'screen' },
    ],
    water: null,
    front: [{ canvas: rail.canvas, x: 0, y: 0, depth: 1 }, ...(mood.person ? [passerBy(kit)] : [])],
    lights: [
      { x, y: y + unit * 0.014, radius: unit * 0.5, rgb: amber, alpha: 0.66, depth: 1, pulse, where: 'before' },
      { x, y: y + unit * 0.012, radius: unit * 0.16, rgb: '255,236,200', alpha: 1, depth: 1, pulse, where: 'before' },
    ],
    weather: rainfall(r, W, H, Math.max(0.7, mood.rain), 0.12 + mood.wind * 0.08),
    camera: { from: [1.03, 0.3, 0.5], to: [1.1, -0.3, -0.4] },
    live: (pen, second) => drawLitRain(pen, lit, second, [x, y], kit),
    grade: { tint: [30, 84, 96], strength: 0.3, exposure: 1.14 },
  });
}

function paintStreet(kit: Kit): Canvas {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = linear(
    pen,
    [0, 0, W, H],
    [
      [0, '#0b1216'],
      [0.5, '#11191b'],
      [1, '#06090a'],
    ],
  );
  pen.fillRect(0, 0, W, H);
  const walls = layer(W, H);
  for (let index = 0; index < 9; index += 1) {
    walls.pen.fillStyle = index % 2 ? '#0d1518' : '#101a1d';
    walls.pen.fillRect((index * W) / 9, 0, W / 9 + 1, H);
  }
  bokeh(walls.pen, r, {
    count: 14,
    from: H * 0.5,
    to: H * 0.74,
    smallest: unit * 0.008,
    largest: unit * 0.032,
    alpha: 0.42,
    colours: mood.mixed,
  });
  pen.filter = `blur(${unit * 0.012}px)`;
  pen.drawImage(walls.canvas, 0, 0);
  pen.filter = 'none';
  fog(pen, noise, { scale: [4, 3], colour: [70, 90, 96], alpha: 0.28 + 0.25 * mood.mist });
  return canvas;
}

function paintCone({ width: W, height: H, unit }: Kit, x: number, y: number, amber: string): Canvas {
  const { canvas, pen } = layer(W, H);
  const light = pen.createRadialGradient(x, y, 8, x, y + H * 0.3, H * 0.85);
  light.addColorStop(0, `rgba(${amber},.78)`);
  light.addColorStop(0.35, `rgba(${amber},.26)`);
  light.addColorStop(1, `rgba(${amber},0)`);
  pen.fillStyle = light;
  pen.filter = `blur(${unit * 0.03}px)`;
  pen.beginPath();
  for (const [dx, dy] of coneShape(H, unit, y)) pen.lineTo(x + dx, dy);
  pen.fill();
  return canvas;
}

function coneShape(H: number, unit: number, y: number): [number, number][] {
  return [
    [-unit * 0.06, y],
    [-unit * 0.75, H * 1.1],
    [unit * 0.75, H * 1.1],
    [unit * 0.06, y],
  ];
}

/** The arm and shade of the lamp, coming in from the right. */
function paintLamp(pen: Pen, W: number, unit: number, x: number, y: number): void {
  pen.fillStyle = '#040606';
  pen.beginPath();
  pen.moveTo(W, y - unit * 0.2);
  pen.quadraticCurveTo(x + unit * 0.3, y - unit * 0.3, x - unit * 0.01, y - unit * 0.12);
  pen.lineTo(x + unit * 0.02, y - unit * 0.11);
  pen.quadraticCurveTo(x + unit * 0.3, y - unit * 0.25, W, y - unit * 0.16);
  pen.fill();
  pen.beginPath();
  pen.moveTo(x - unit * 0.045, y - unit * 0.125);
  pen.bezierCurveTo(x - unit * 0.06, y - unit * 0.05, x - unit * 0.12, y - unit * 0.03, x - unit * 0.125, y);
  pen.lineTo(x + unit * 0.125, y);
  pen.bezierCurveTo(
    x + unit * 0.12,
    y - unit * 0.03,
    x + unit * 0.06,
    y - unit * 0.05,
    x + unit * 0.045,
    y - unit * 0.125,
  );
  pen.closePath();
  pen.fill();
  pen.fillStyle = '#fff0d2';
  pen.beginPath();
  pen.ellipse(x, y + unit * 0.004, unit * 0.075, unit * 0.026, 0, 0, 2 * Math.PI);
  pen.fill();
}

/** Rain is visible in the light only: the streaks inside the cone. */
function drawLitRain(
  pen: Pen,
  weather: Weather,
  second: number,
  [x, y]: [number, number],
  { height: H, unit }: Kit,
): void {
  pen.save();
  pen.beginPath();
  for (const [dx, dy] of coneShape(H, unit, y)) pen.lineTo(x + dx * 0.92, dy);
  pen.clip();
  pen.globalCompositeOperation = 'screen';
  drawWeather(pen, weather, second, 1.5);
  pen.restore();
}

function passerBy({ width: W, height: H, unit, mood }: Kit): Plane {
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = '#030404';
  pen.shadowColor = 'rgba(255,180,100,.7)';
  pen.shadowBlur = unit * 0.02;
  const size = unit * (mood.close ? 0.4 : 0.26);
  person(pen, W * 0.3, H - size * 1.7, size, mood.facing);
  return {
    canvas,
    x: 0,
    y: 0,
    depth: 2,
    drift: (second) => [Math.sin(second * 0.4) * unit * 0.003, Math.sin(second * 1.3) * unit * 0.0018],
  };
}

/** Rain on a pane, with the town out of focus behind it. */
export function pane(kit: Kit): Scene {
  const { width: W } = kit;
  const { clear, lights } = paintTown(kit, 60, 0.66, [0.36, 0.74]);
  const glass = wetGlass(kit, clear, Math.round(760 * (W / 1280 + 0.2)));
  return finishScene(kit, {
    name: 'pane',
    back: [{ canvas: glass, x: 0, y: 0, depth: 1 }],
    water: null,
    front: [],
    lights,
    weather: CALM,
    camera: { from: [1.03, -0.5, 0], to: [1.08, 0.5, 0] },
    live: runningDrops(kit, clear, 0, W),
  });
}

/** A person at a window at night, with rain outside. */
export function portrait(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, mood } = kit;
  const flip = mood.facing === -1;
  const left = W * (0.22 + 0.12 * r());
  const { clear, lights } = paintTown(kit, 46, 0.62, [0.4, 0.74]);
  const room = layer(W, H);
  room.pen.drawImage(wetGlass(kit, clear, 420), 0, 0);
  paintRoom(room.pen, kit, left, flip);
  const frame: [number, number] = flip ? [0, W - left] : [left, W];
  return finishScene(kit, {
    name: 'portrait',
    back: [{ canvas: room.canvas, x: 0, y: 0, depth: 0.7 }],
    water: null,
    front: [sitter(kit, flip)],
    lights: lights.filter(({ x }) => x > frame[0] + unit * 0.06 && x < frame[1] - unit * 0.06),
    weather: CALM,
    camera: { from: [1.02, flip ? 0.4 : -0.4, 0.2], to: [1.1, flip ? -0.5 : 0.5, -0.2] },
    live: runningDrops(kit, clear, ...frame),
  });
}

/** The town behind glass: sharp, since the drops refract it, and its lights separately, to twinkle. */
function paintTown(
  kit: Kit,
  count: number,
  alpha: number,
  [from, to]: [number, number],
): { clear: Canvas; lights: Light[] } {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = vertical(pen, [
    [0, '#0c171c'],
    [0.6, '#1a3138'],
    [1, '#0a1215'],
  ]);
  pen.fillRect(0, 0, W, H);
  bokeh(pen, r, {
    count,
    from: H * from,
    to: H * to,
    smallest: unit * 0.014,
    largest: unit * 0.075,
    alpha,
    colours: mood.mixed,
  });
  glow(pen, W * (0.6 + 0.3 * r()), H * 0.5, unit * 0.7, mood.warm[0] ?? '255,160,80', 0.3);
  fog(pen, noise, { scale: [4, 4], colour: [90, 120, 126], alpha: 0.2 + 0.2 * mood.mist });
  const lights = Array.from({ length: 16 }, (): Light => {
    const rgb = mood.mixed[Math.floor(r() * mood.mixed.length)] ?? '255,176,92';
    const run = (r() - 0.5) * W * 0.004;
    const [x, y] = [r() * W, H * (from + (to - from) * r())];
    return {
      x,
      y,
      radius: unit * (0.014 + 0.05 * r() ** 2),
      rgb,
      alpha: 0.45,
      depth: 0.6,
      shape: 'disc',
      pulse: breathe(r, 1, 2 + 4 * r()),
      drift: (second) => [run * second, 0],
    };
  });
  return { clear: canvas, lights };
}

function wetGlass({ width: W, height: H, random: r, unit }: Kit, clear: Canvas, count: number): Canvas {
  const { canvas, pen } = layer(W, H);
  pen.filter = `blur(${unit * 0.0042}px)`;
  pen.drawImage(clear, 0, 0);
  pen.filter = 'none';
  drops(pen, r, count, clear);
  return canvas;
}

/** The dark room around the window. */
function paintRoom(pen: Pen, { width: W, height: H, unit }: Kit, left: number, flip: boolean): void {
  pen.save();
  if (flip) {
    pen.translate(W, 0);
    pen.scale(-1, 1);
  }
  pen.fillStyle = linear(
    pen,
    [0, 0, left, 0],
    [
      [0, '#07090a'],
      [1, '#0e1415'],
    ],
  );
  pen.fillRect(0, 0, left, H);
  pen.fillStyle = '#050607';
  pen.fillRect(left - unit * 0.024, 0, unit * 0.032, H);
  pen.fillRect(0, 0, W, H * 0.06);
  pen.fillRect(0, H * 0.9, W, H * 0.1);
  pen.fillStyle = 'rgba(255,190,120,.16)';
  pen.fillRect(left, H * 0.9, W, 2);
  pen.restore();
}

function sitter({ width: W, height: H, unit, random: r, mood }: Kit, flip: boolean): Plane {
  const { canvas, pen } = layer(W, H);
  const size = unit * (mood.close ? 0.58 : 0.46);
  const tall = H > W;
  const x = W * (flip ? 0.56 : 0.44) + (r() - 0.5) * W * 0.06;
  const y = tall ? H * 0.62 : H * 0.56 + (mood.close ? unit * 0.1 : 0);
  const facing = flip ? -1 : 1;
  pen.save();
  pen.shadowColor = 'rgba(255,180,110,.75)';
  pen.shadowBlur = unit * 0.02;
  pen.shadowOffsetX = unit * 0.008 * facing;
  const skin: [number, string][] = [
    [0, '#040505'],
    [0.7, '#0b0c0c'],
    [1, '#2a1d13'],
  ];
  pen.fillStyle = linear(pen, [x - size * facing, 0, x + size * 0.5 * facing, 0], skin);
  person(pen, x, y, size, facing);
  // A tall frame shows more of the body than the profile has.
  pen.shadowColor = 'transparent';
  if (y + size * 3.3 < H) pen.fillRect(x - size * 1.46, y + size * 3.3, size * 2.36, H);
  pen.restore();
  glow(pen, x + size * 0.26 * facing, y - size * 0.2, size * 0.34, '255,178,110', 0.26);
  return {
    canvas,
    x: 0,
    y: 0,
    depth: 1.9,
    drift: (second) => [Math.sin(second * 0.45) * unit * 0.004, Math.sin(second * 1.5) * unit * 0.0022],
  };
}

/** Drops that run down the pane, now fast, now slow. */
function runningDrops({ height: H, unit, random: r }: Kit, behind: Canvas, from: number, to: number) {
  const runners = Array.from({ length: 9 }, () => ({
    x: from + unit * 0.04 + r() * (to - from - unit * 0.08),
    start: r(),
    size: unit * (0.007 + 0.006 * r()),
    pace: 0.05 + 0.08 * r(),
    phase: r() * 6.28,
  }));
  return (pen: Pen, second: number) => {
    for (const { x, start, size, pace, phase } of runners) {
      const run = second * pace + 0.03 * Math.sin(second * 2.3 + phase) + start;
      const y = H * (0.08 + 0.8 * (run % 1));
      pen.strokeStyle = 'rgba(200,218,224,.10)';
      pen.lineWidth = size;
      pen.beginPath();
      pen.moveTo(x, Math.max(H * 0.07, y - unit * 0.14));
      pen.lineTo(x + Math.sin(y * 0.03 + phase) * 2, y);
      pen.stroke();
      drop(pen, x + Math.sin(y * 0.03 + phase) * 2, y, size, behind);
    }
  };
}
