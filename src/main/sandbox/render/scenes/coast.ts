import { fog, glow, layer, linear, type Pen, ridge, vertical } from '../drawing.ts';
import { ferry } from '../figures.ts';
import { breathe, type Kit, type Scene } from '../scene.ts';
import { finishWater, mirror } from '../water.ts';
import { rainfall, snowfall } from '../weather.ts';
import { finishScene } from './finishScene.ts';
import { paintMoon } from './harbour.ts';

/** A gale: rows of heaving waves with a ship among them. */
export function storm(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const far = layer(W, H);
  far.pen.fillStyle = vertical(far.pen, [
    [0, '#0e171c'],
    [0.4, '#2a3b42'],
    [1, '#05090b'],
  ]);
  far.pen.fillRect(0, 0, W, H);
  fog(far.pen, noise, { scale: [3, 4], colour: [120, 140, 146], alpha: 0.6, band: [0, 0.6] });
  const ranks = Array.from({ length: 7 }, (_, rank) => waveRank(kit, rank));
  const ship = layer(W, H);
  ferry(ship.pen, W * 0.56, H * 0.44 + unit * 0.012, Math.min(W * 0.16, unit * 0.3), 0.7);
  const heave = (second: number): [number, number] => [
    Math.sin(second * 0.5) * W * 0.004,
    Math.sin(second * 1.25) * H * 0.008,
  ];
  return finishScene(kit, {
    name: 'storm',
    back: [
      { canvas: far.canvas, x: 0, y: 0, depth: 0.3 },
      ...ranks.slice(0, 1),
      { canvas: ship.canvas, x: 0, y: 0, depth: 0.5, drift: heave },
      ...ranks.slice(1),
    ],
    water: null,
    front: [],
    lights: [
      {
        x: W * 0.6,
        y: H * 0.44,
        radius: unit * 0.12,
        rgb: '255,190,120',
        alpha: 0.4,
        depth: 0.5,
        pulse: breathe(r, 0.8, 2.2),
        drift: heave,
      },
    ],
    weather: mood.snow ? snowfall(r, W, H, 1.4) : rainfall(r, W, H, Math.max(1, mood.rain), 0.5),
    camera: { from: [1.06, -0.5, -0.4], to: [1.1, 0.5, 0.4] },
  });
}

function waveRank({ width: W, height: H, random: r, noise, unit }: Kit, rank: number) {
  const near = rank / 6;
  const margin = Math.round(W * 0.06);
  const base = H * (0.44 + 0.6 * near * near);
  const top = Math.floor(base - H * 0.28);
  const { canvas, pen } = layer(W + 2 * margin, H + H * 0.06 - top);
  const crest = (x: number) =>
    unit * (0.035 + 0.21 * near) * noise((x / W) * (6 - 4 * near) + rank * 11, rank, 4) ** 1.4;
  const tone = (from: number, fall: number) => Math.round(from - fall * near);
  const fill = vertical(
    pen,
    [
      [0, `rgb(${tone(58, 34)},${tone(82, 48)},${tone(88, 54)})`],
      [1, '#04080a'],
    ],
    base - top - H * 0.12,
    base - top + H * 0.3,
  );
  ridge(pen, canvas.height, 0, canvas.width, (x) => canvas.height - (base - top) + crest(x), fill);
  for (let index = 0; index < 520; index += 1) {
    const x = r() * canvas.width;
    const high = crest(x);
    const isCap = high > unit * (0.012 + 0.07 * near);
    const y = base - top - high + r() ** 2 * unit * (0.012 + 0.05 * near);
    pen.fillStyle = `rgba(214,226,226,${(isCap ? 0.16 : 0.05) * (0.3 + 0.7 * r())})`;
    pen.beginPath();
    pen.ellipse(
      x,
      y,
      (1 + 11 * near * r()) * (unit / 720) * 1.6,
      (0.7 + 1.7 * near) * (unit / 720),
      0.08,
      0,
      2 * Math.PI,
    );
    pen.fill();
  }
  const direction = rank % 2 ? 1 : -1;
  const phase = rank * 1.7;
  return {
    canvas,
    x: -margin,
    y: top,
    depth: 0.4 + near,
    drift: (second: number): [number, number] => [
      direction * Math.sin(second * 0.45 + phase) * margin * 0.8,
      Math.sin(second * (1.35 - near * 0.5) + phase) * H * (0.006 + 0.018 * near),
    ],
  };
}

/** A lighthouse with a turning beam. */
export function lighthouse(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const horizon = H * 0.72;
  const [x, y] = [W * (0.62 + 0.12 * r()), horizon - unit * 0.4];
  const far = layer(W, H);
  const { pen } = far;
  pen.fillStyle = vertical(
    pen,
    [
      [0, '#05080c'],
      [0.6, '#0f1d25'],
      [1, '#2a3d44'],
    ],
    0,
    horizon,
  );
  pen.fillRect(0, 0, W, H);
  if (mood.moon) paintMoon(kit, pen);
  fog(pen, noise, { scale: [4, 4], colour: [70, 96, 108], alpha: 0.5, band: [0, 0.75] });
  paintTower(kit, pen, x, y, horizon);
  const surface = mirror(far.canvas, horizon, H - horizon, { noise, roughness: 1.3 });
  finishWater(surface, noise, 0.6);
  const first = r() * 6.28;
  const angle = (second: number) => first + second * 0.85;
  const facing = (second: number) => Math.max(0, Math.sin(angle(second))) ** 3;
  return finishScene(kit, {
    name: 'lighthouse',
    back: [{ canvas: far.canvas, x: 0, y: 0, depth: 0.5 }],
    water: { top: horizon, sway: W * 0.008, speed: 0.9, sheets: [{ canvas: surface, x: 0 }] },
    front: [],
    lights: [
      {
        x,
        y,
        radius: unit * 0.3,
        rgb: '255,240,206',
        alpha: 0.85,
        depth: 1,
        pulse: (second) => 0.35 + 0.65 * facing(second),
      },
      {
        x,
        y: horizon + (horizon - y) * 0.55,
        radius: unit * 0.3,
        rgb: '255,236,200',
        alpha: 0.3,
        depth: 1,
        pulse: (second) => 0.2 + 0.8 * facing(second),
      },
    ],
    weather: mood.snow ? snowfall(r, W, H, mood.snow) : rainfall(r, W, H, mood.rain, 0.15),
    camera: { from: [1.03, 0.4, 0], to: [1.09, -0.3, 0.2] },
    live: (brush, second) => drawBeam(brush, x, y, W, unit, angle(second)),
  });
}

function paintTower({ width: W, height: H, noise, unit }: Kit, pen: Pen, x: number, y: number, horizon: number): void {
  const shore = (at: number) =>
    unit * 0.1 * noise((at / W) * 7, 3, 4) * Math.min(1, Math.max(0, (at - W * 0.42) / (W * 0.14)));
  ridge(pen, horizon, W * 0.42, W, shore, '#070a0b');
  const tower = linear(
    pen,
    [x - unit * 0.03, 0, x + unit * 0.03, 0],
    [
      [0, '#141b1e'],
      [0.45, '#0a0e10'],
      [1, '#050708'],
    ],
  );
  pen.fillStyle = tower;
  pen.beginPath();
  pen.moveTo(x - unit * 0.02, y + unit * 0.014);
  pen.lineTo(x + unit * 0.02, y + unit * 0.014);
  pen.lineTo(x + unit * 0.034, horizon);
  pen.lineTo(x - unit * 0.034, horizon);
  pen.fill();
  pen.fillRect(x - unit * 0.028, y + unit * 0.012, unit * 0.056, unit * 0.009);
  pen.fillRect(x - unit * 0.017, y - unit * 0.026, unit * 0.034, unit * 0.01);
  glow(pen, x, y, unit * 0.16, '255,244,214', 0.9);
  pen.fillStyle = 'rgba(255,210,150,.8)';
  pen.fillRect(x - unit * 0.004, horizon - H * 0.05, unit * 0.006, unit * 0.01);
}

/** Nested wedges that soften the beam's edges: half-width and strength. */
const BEAM = [
  [0.24, 0.16],
  [0.2, 0.2],
  [0.165, 0.24],
  [0.13, 0.28],
  [0.1, 0.3],
  [0.07, 0.34],
  [0.04, 0.4],
] as const;

/** Two opposite beams, shortened by their angle to the line of sight. */
function drawBeam(pen: Pen, x: number, y: number, W: number, unit: number, angle: number): void {
  pen.save();
  pen.globalCompositeOperation = 'screen';
  for (const half of [0, Math.PI]) {
    const across = Math.cos(angle + half);
    const towards = Math.sin(angle + half);
    const reach = W * 1.05 * across;
    if (Math.abs(across) < 0.04) continue;
    const strength = 0.26 + 0.42 * Math.max(0, towards);
    const beam = pen.createLinearGradient(x, y, x + reach, y);
    beam.addColorStop(0, `rgba(255,240,205,${strength})`);
    beam.addColorStop(0.45, `rgba(255,230,190,${strength * 0.24})`);
    beam.addColorStop(1, 'rgba(255,220,180,0)');
    pen.fillStyle = beam;
    for (const [spread, share] of BEAM) {
      const end = unit * spread * (0.4 + 0.6 * Math.abs(across)) * (1 + 0.5 * Math.max(0, towards));
      const tilt = unit * 0.06 * -towards;
      pen.globalAlpha = share;
      pen.beginPath();
      pen.moveTo(x, y - unit * 0.004);
      pen.lineTo(x + reach, y - end + tilt);
      pen.lineTo(x + reach, y + end + tilt);
      pen.lineTo(x, y + unit * 0.004);
      pen.fill();
    }
  }
  pen.restore();
}
