import { type FogOptions, fog, glow, layer, type Pen, vertical } from '../drawing.ts';
import { ferry, railing, walker } from '../figures.ts';
import { breathe, type Kit, type Light, type Scene } from '../scene.ts';
import { finishWater, mirror } from '../water.ts';
import { rainfall, snowfall } from '../weather.ts';
import { finishScene } from './finishScene.ts';
import { paintMoon } from './harbour.ts';

interface SeaLight {
  sky: [number, string][];
  cloud: FogOptions['colour'];
  mist: FogOptions['colour'];
  hull: string;
  /** How brightly the ship is lit. */
  lit: number;
  /** How dark the water is near the viewer. */
  dark: number;
}

const NIGHT: SeaLight = {
  sky: [
    [0, '#060b0f'],
    [0.5, '#12232b'],
    [1, '#31484f'],
  ],
  cloud: [96, 122, 130],
  mist: [80, 104, 112],
  hull: '#0b1114',
  lit: 0.95,
  dark: 0.5,
};
const GREY_DAY: SeaLight = {
  sky: [
    [0, '#3d5560'],
    [0.6, '#7d9299'],
    [1, '#b9c4c2'],
  ],
  cloud: [206, 216, 216],
  mist: [190, 202, 203],
  hull: '#26343a',
  lit: 0.25,
  dark: 0.34,
};

/** A ship alone on open water, at night or in grey light. */
export function sea(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const light = mood.day ? GREY_DAY : NIGHT;
  const horizon = H * 0.58;
  const far = paintSky(kit, light, horizon);
  const bow = W * (0.3 + 0.2 * r());
  const length = Math.min(W * 0.3, unit * 0.54);
  const ship = layer(W, H);
  ferry(ship.pen, bow, horizon + 2, length, light.lit, light.hull);
  const mist = layer(W, H);
  fog(mist.pen, noise, { scale: [3, 8], colour: light.mist, alpha: 0.35 + 0.35 * mood.mist, band: [0.44, 0.68] });
  const surface = mirror(far, horizon, H - horizon, { noise, roughness: 1.4 });
  finishWater(surface, noise, light.dark);
  const below = mirror(ship.canvas, horizon, H - horizon, { noise, roughness: 1.4 });
  const drift = (second: number): [number, number] => [-second * W * 0.004, Math.sin(second * 0.9) * H * 0.002];
  const sheets = [
    { canvas: surface, x: 0 },
    { canvas: below, x: 0, drift },
  ];
  const veil = (second: number): [number, number] => [Math.sin(second * 0.12) * W * 0.02, 0];
  return finishScene(kit, {
    name: 'sea',
    back: [
      { canvas: far, x: 0, y: 0, depth: 0.4 },
      { canvas: ship.canvas, x: 0, y: 0, depth: 0.7, drift },
    ],
    water: { top: horizon, sway: W * 0.009, speed: 0.8, sheets },
    front: [{ canvas: mist.canvas, x: 0, y: 0, depth: 0.8, drift: veil, alpha: breathe(r, 0.3, 9) }],
    lights: mood.day ? [] : [cabins(kit, bow + length * 0.5, horizon - length * 0.15, length * 0.5, drift)],
    weather: mood.snow ? snowfall(r, W, H, mood.snow) : rainfall(r, W, H, mood.rain || 0.12, 0.14),
    camera: { from: [1.03, 0.4, 0.1], to: [1.09, -0.4, 0.3] },
    ...(mood.birds && { live: gulls(kit, horizon * 0.5) }),
  });
}

function paintSky(kit: Kit, light: SeaLight, horizon: number) {
  const { width: W, height: H, noise, mood } = kit;
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = vertical(pen, light.sky, 0, horizon);
  pen.fillRect(0, 0, W, H);
  if (mood.moon) paintMoon(kit, pen);
  fog(pen, noise, { scale: [4, 4], colour: light.cloud, alpha: 0.55, band: [0, 0.7] });
  return canvas;
}

/** The glow of a lit ship in the damp air. */
function cabins({ random, mood }: Kit, x: number, y: number, radius: number, drift: Light['drift']): Light {
  return {
    x,
    y,
    radius,
    rgb: mood.warm[0] ?? '255,186,98',
    alpha: 0.3,
    depth: 0.7,
    pulse: breathe(random, 0.3, 4),
    drift,
  };
}

/** The wake of a ship at night, seen over the stern rail. */
export function wake(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const horizon = H * 0.3;
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = vertical(pen, [
    [0, '#05090c'],
    [0.3, '#15242a'],
    [0.32, '#0b171b'],
    [1, '#04080a'],
  ]);
  pen.fillRect(0, 0, W, H);
  if (mood.moon) paintMoon(kit, pen);
  fog(pen, noise, { scale: [4, 5], colour: [60, 84, 92], alpha: 0.45, band: [0, 0.34] });
  for (let index = 0; index < 22; index += 1) {
    glow(
      pen,
      r() * W,
      horizon - r() * 6,
      (2 + r() * 9) * (unit / 720),
      mood.warm[Math.floor(r() * mood.warm.length)] ?? '255,176,92',
      0.9,
    );
  }
  const centre = W * (0.5 + 0.1 * (r() - 0.5));
  glow(pen, centre, H * 1.02, unit * 0.9, '255,164,84', 0.34);
  const rail = layer(W, H);
  railing(rail.pen, H * 0.885, '#030506');
  if (mood.person) {
    rail.pen.fillStyle = '#030506';
    rail.pen.shadowColor = 'rgba(255,170,90,.6)';
    rail.pen.shadowBlur = unit * 0.012;
    walker(rail.pen, W * 0.3, H * 1.02, unit * 0.56);
  }
  const foam = foamOf(kit);
  return finishScene(kit, {
    name: 'wake',
    back: [{ canvas, x: 0, y: 0, depth: 0.5 }],
    water: null,
    front: [
      { canvas: rail.canvas, x: 0, y: 0, depth: 1.7, drift: (second) => [0, Math.sin(second * 0.9) * H * 0.004] },
    ],
    lights: [],
    weather: rainfall(r, W, H, mood.rain, 0.1),
    camera: { from: [1.04, 0, -0.5], to: [1.08, 0.3, 0.6] },
    live: (brush, second) => drawFoam(brush, foam, second, centre, horizon, kit),
  });
}

interface Fleck {
  side: number;
  far: number;
  size: number;
  tone: 0 | 1 | 2;
}

/** Foam: thick along both edges of the wake, thin between them. */
function foamOf({ random: r, noise }: Kit): Fleck[] {
  return Array.from({ length: 2600 }, () => {
    const far = r();
    const edge = r() < 0.62;
    const side = edge ? (r() < 0.5 ? -1 : 1) * (0.72 + 0.34 * r()) : r() * 2 - 1;
    const tone = edge ? (r() < 0.5 ? 2 : 1) : 0;
    return { side: side + (noise(far * 6, side * 6, 3) - 0.5) * 0.3, far, size: 0.3 + r(), tone };
  });
}

const FOAM_TONES = ['rgba(206,218,212,.08)', 'rgba(218,226,218,.17)', 'rgba(236,240,232,.3)'] as const;

/** Flecks per path: filling costs the square of what crosses a line of the path. */
const TOGETHER = 24;

/** The flecks move away towards the horizon. */
function drawFoam(
  pen: Pen,
  foam: Fleck[],
  second: number,
  centre: number,
  horizon: number,
  { width: W, height: H, unit }: Kit,
): void {
  FOAM_TONES.forEach((tone, index) => {
    pen.fillStyle = tone;
    pen.beginPath();
    let together = 0;
    for (const { side, far, size, tone: own } of foam) {
      if (own !== index) continue;
      if (together === TOGETHER) {
        pen.fill();
        pen.beginPath();
        together = 0;
      }
      together += 1;
      const near = (1 - ((far + second * 0.045) % 1)) ** 1.7;
      const x = centre + side * Math.min(W, unit * 1.78) * (0.008 + 0.33 * near);
      const radius = (0.5 + 4.6 * near) * size * (unit / 720);
      const y = horizon + near * (H - horizon);
      pen.moveTo(x + radius * 2.2, y);
      pen.ellipse(x, y, radius * 2.2, radius * 0.8, 0, 0, 2 * Math.PI);
    }
    pen.fill();
  });
}

/** Gulls: two strokes each, beating. */
export function gulls({ width: W, unit, random: r }: Kit, height: number) {
  const flock = Array.from({ length: 7 }, () => ({
    x: r(),
    y: height * (0.5 + r()),
    size: unit * (0.008 + 0.012 * r()),
    pace: 0.018 + 0.02 * r(),
    beat: 4 + 3 * r(),
    phase: r() * 6.28,
  }));
  return (pen: Pen, second: number) => {
    pen.strokeStyle = 'rgba(16,20,22,.75)';
    pen.lineWidth = Math.max(1, unit * 0.0022);
    pen.lineCap = 'round';
    pen.beginPath();
    for (const { x, y, size, pace, beat, phase } of flock) {
      const at = ((x + second * pace) % 1.1) * W;
      const lift = Math.sin(second * beat + phase) * size * 0.6;
      const high = y + Math.sin(second * 0.6 + phase) * unit * 0.012;
      pen.moveTo(at - size, high - lift);
      pen.quadraticCurveTo(at - size * 0.4, high - lift * 0.2 - size * 0.2, at, high);
      pen.quadraticCurveTo(at + size * 0.4, high - lift * 0.2 - size * 0.2, at + size, high - lift);
    }
    pen.stroke();
  };
}
