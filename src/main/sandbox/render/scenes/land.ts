import { fog, glow, layer, type Pen, polygon, ridge, vertical } from '../drawing.ts';
import { ferry, railing, walker } from '../figures.ts';
import { breathe, type Kit, type Plane, type Scene } from '../scene.ts';
import { finishWater, mirror } from '../water.ts';
import { rainfall, snowfall } from '../weather.ts';
import { finishScene } from './finishScene.ts';
import { gulls } from './sea.ts';

/** First light over calm water. */
export function dawn(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const horizon = H * 0.52;
  const sun = W * (0.56 + 0.2 * (r() - 0.5));
  const far = paintDawnSky(kit, sun, horizon);
  const ship = layer(W, horizon + 8);
  if (mood.boat) ferry(ship.pen, W * 0.2, horizon + 4, Math.min(W * 0.17, unit * 0.3), 0.5, '#1a2428');
  const above = layer(W, H);
  above.pen.drawImage(far.canvas, 0, 0);
  above.pen.drawImage(ship.canvas, 0, 0);
  const surface = mirror(above.canvas, horizon, H - horizon, { noise, roughness: 0.9, stretch: 0.8 });
  finishWater(surface, noise, 0.42, '255,222,180');
  const front = layer(W, H);
  railing(front.pen, H * 0.8);
  if (mood.person) {
    front.pen.fillStyle = '#0b0f11';
    walker(front.pen, W * 0.32, H * 0.99, unit * 0.5);
  }
  const sparkle = sparkleOf(kit, sun, horizon);
  const birds = mood.birds || r() < 0.5 ? gulls(kit, horizon * 0.5) : null;
  return finishScene(kit, {
    name: 'dawn',
    back: [
      { canvas: far.canvas, x: 0, y: 0, depth: 0.4 },
      { canvas: ship.canvas, x: 0, y: 0, depth: 0.6, drift: (second) => [second * W * 0.002, 0] },
    ],
    water: { top: horizon, sway: W * 0.006, speed: 0.7, sheets: [{ canvas: surface, x: 0 }] },
    front: [
      { canvas: front.canvas, x: 0, y: 0, depth: 1.8, drift: (second) => [0, Math.sin(second * 0.7) * H * 0.003] },
    ],
    lights: [
      {
        x: sun,
        y: horizon - 2,
        radius: unit * 0.55,
        rgb: '255,214,160',
        alpha: 0.32,
        depth: 0.4,
        pulse: breathe(r, 0.5, 11),
      },
    ],
    weather: mood.snow ? snowfall(r, W, H, mood.snow) : rainfall(r, W, H, mood.rain * 0.5, 0.1),
    camera: { from: [1.02, -0.3, 0], to: [1.08, 0.2, -0.3] },
    live: (brush, second) => {
      drawSparkle(brush, sparkle, second);
      birds?.(brush, second);
    },
    vignette: 0.4,
  });
}

function paintDawnSky({ width: W, height: H, unit, noise }: Kit, sun: number, horizon: number) {
  const far = layer(W, H);
  const { pen } = far;
  pen.fillStyle = vertical(
    pen,
    [
      [0, '#243742'],
      [0.55, '#6d7f80'],
      [0.88, '#d9b08a'],
      [1, '#f3cfa0'],
    ],
    0,
    horizon,
  );
  pen.fillRect(0, 0, W, H);
  fog(pen, noise, { scale: [3, 12], colour: [38, 52, 62], alpha: 0.75, band: [0, 0.5] });
  glow(pen, sun, horizon, unit * 0.9, '255,196,130', 0.55);
  glow(pen, sun, horizon - 2, unit * 0.14, '255,240,214', 0.95);
  ridge(pen, horizon, 0, W * 0.42, (x) => unit * 0.055 * noise((x / W) * 6, 2, 4) * (1 - x / W / 0.42), '#3a4a50');
  return far;
}

interface Sparkle {
  x: number;
  y: number;
  width: number;
  height: number;
  rate: number;
  phase: number;
}

/** The sun's reflection on the water. */
function sparkleOf({ width: W, height: H, random: r }: Kit, sun: number, horizon: number): Sparkle[] {
  return Array.from({ length: 620 }, () => {
    const near = r() ** 1.4;
    const spread = W * (0.05 + 0.16 * near);
    return {
      x: sun + (r() + r() + r() - 1.5) * spread,
      y: horizon + near * (H - horizon) * 0.9,
      width: (4 + 26 * near * r()) * (W / 1280),
      height: 1 + near * 2,
      rate: 1.5 + 4 * r(),
      phase: r() * 6.28,
    };
  });
}

function drawSparkle(pen: Pen, sparkles: Sparkle[], second: number): void {
  const classes = ['rgba(255,222,180,.07)', 'rgba(255,226,186,.14)', 'rgba(255,234,204,.26)'];
  const wanted = sparkles.map(({ rate, phase }) => Math.floor(((Math.sin(second * rate + phase) + 1) / 2) * 3.6) - 1);
  classes.forEach((fill, index) => {
    pen.fillStyle = fill;
    sparkles.forEach(({ x, y, width, height }, at) => {
      if (wanted[at] === index) pen.fillRect(x, y, width, height);
    });
  });
}

/** A salt flat at noon or sunset: a road, a person, far hills. */
export function salt(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const horizon = H * 0.56;
  const pink = r() < 0.5 && !mood.day;
  const far = layer(W, H);
  const { pen } = far;
  pen.fillStyle = vertical(
    pen,
    pink
      ? [
          [0, '#5b6f93'],
          [0.6, '#c79aa0'],
          [1, '#f3c9a6'],
        ]
      : [
          [0, '#7fa0bd'],
          [0.7, '#c9d6dc'],
          [1, '#efe9de'],
        ],
    0,
    horizon,
  );
  pen.fillRect(0, 0, W, H);
  const clouds = layer(W * 1.12, H);
  fog(clouds.pen, noise, { scale: [3.4, 10], colour: [255, 246, 236], alpha: 0.5, band: [0, 0.5] });
  glow(pen, W * (0.3 + 0.5 * r()), horizon - H * 0.1, unit * 0.7, '255,226,190', pink ? 0.5 : 0.25);
  const offset = r() * 30;
  const land = layer(W, H);
  ridge(
    land.pen,
    horizon,
    0,
    W,
    (x) => unit * 0.13 * Math.max(0, noise((x / W) * 5 + offset, 4, 4) - 0.36),
    pink ? '#8b7387' : '#9aa4ad',
  );
  paintFlat(kit, land.pen, horizon, pink);
  if (r() < 0.7) paintRoad(land.pen, W, H, horizon);
  return finishScene(kit, {
    name: 'salt',
    back: [
      { canvas: far.canvas, x: 0, y: 0, depth: 0.3 },
      { canvas: clouds.canvas, x: -W * 0.06, y: 0, depth: 0.35, drift: (second) => [second * W * 0.0045, 0] },
      { canvas: land.canvas, x: 0, y: 0, depth: 1 },
    ],
    water: null,
    front: mood.person ? [wanderer(kit, horizon)] : [],
    lights: [],
    weather: mood.snow ? snowfall(r, W, H, mood.snow) : rainfall(r, W, H, mood.rain * 0.6, 0.1),
    camera: { from: [1.02, 0, 0.3], to: [1.12, 0, -0.1] },
    grade: { tint: [118, 104, 96], strength: 0.16, exposure: 1.02 },
    vignette: 0.3,
    ...(mood.birds && { live: gulls(kit, horizon * 0.5) }),
  });
}

function paintFlat({ width: W, height: H, random: r }: Kit, pen: Pen, horizon: number, pink: boolean): void {
  pen.fillStyle = vertical(
    pen,
    pink
      ? [
          [0, '#e9c7b0'],
          [1, '#a98f93'],
        ]
      : [
          [0, '#f2eee6'],
          [1, '#c3c1bd'],
        ],
    horizon,
    H,
  );
  pen.fillRect(0, horizon, W, H - horizon);
  for (let index = 0; index < 900; index += 1) {
    const near = r() ** 2;
    const y = horizon + near * (H - horizon);
    const x = r() * W;
    pen.strokeStyle = `rgba(90,80,86,${0.03 + 0.14 * near * r()})`;
    pen.lineWidth = 0.5 + near * 1.6;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + (10 + 160 * near * r()) * (W / 1280), y + (r() - 0.5) * 24 * near);
    pen.stroke();
  }
}

function paintRoad(pen: Pen, W: number, H: number, horizon: number): void {
  const middle = W * 0.5;
  polygon(
    pen,
    [
      [middle - 4, horizon],
      [middle + 4, horizon],
      [W * 0.74, H],
      [W * 0.24, H],
    ],
    'rgba(66,62,68,.82)',
  );
  for (let dash = 0; dash < 9; dash += 1) {
    const [from, to] = [(dash / 9) ** 2, ((dash + 0.5) / 9) ** 2];
    const edge = (part: number, side: number): [number, number] => [
      middle - W * 0.01 * part + side * (6 * part + 0.6),
      horizon + part * (H - horizon),
    ];
    polygon(pen, [edge(from, -1), edge(from, 1), edge(to, 1), edge(to, -1)], 'rgba(236,226,206,.8)');
  }
}

function wanderer({ width: W, height: H, unit, random: r }: Kit, horizon: number): Plane {
  const { canvas, pen } = layer(W, H);
  const x = W * (0.34 + 0.3 * r());
  const feet = horizon + (H - horizon) * 0.46;
  pen.fillStyle = 'rgba(60,48,56,.4)';
  pen.beginPath();
  pen.ellipse(x + unit * 0.1, feet, unit * 0.13, unit * 0.009, 0, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = '#2a2528';
  walker(pen, x, feet, unit * 0.34);
  return { canvas, x: 0, y: 0, depth: 1.3, drift: (second) => [Math.sin(second * 0.5) * unit * 0.002, 0] };
}

/** Ridges with mist between them: hills, woods, snow. */
export function ridges(kit: Kit): Scene {
  const { width: W, height: H, unit, random: r, noise, mood } = kit;
  const far = layer(W, H);
  const sky: [number, string][] = mood.snow
    ? [
        [0, '#6f8290'],
        [0.6, '#b4c0c6'],
        [1, '#dfe3e2'],
      ]
    : mood.day
      ? [
          [0, '#5d7f95'],
          [0.5, '#a9bfc6'],
          [1, '#e8e2d2'],
        ]
      : [
          [0, '#0c161d'],
          [0.45, '#2b434e'],
          [0.8, '#8a8f86'],
          [1, '#d9b48c'],
        ];
  far.pen.fillStyle = vertical(far.pen, sky, 0, H * 0.62);
  far.pen.fillRect(0, 0, W, H);
  glow(far.pen, W * (0.3 + 0.4 * r()), H * 0.46, unit * 0.8, '255,214,160', 0.45);
  fog(far.pen, noise, { scale: [3, 9], colour: [236, 232, 224], alpha: 0.25, band: [0, 0.5] });
  const back: Plane[] = [{ canvas: far.canvas, x: 0, y: 0, depth: 0.2 }];
  for (let rank = 0; rank < 6; rank += 1) back.push(hillRank(kit, rank), mistRank(kit, rank));
  return finishScene(kit, {
    name: 'ridges',
    back,
    water: null,
    front: mood.person ? [wanderer({ ...kit, unit: unit * 1.1 }, H * 0.76)] : [],
    lights: [],
    weather: mood.snow ? snowfall(r, W, H, mood.snow) : rainfall(r, W, H, mood.rain, 0.12),
    camera: { from: [1.04, -0.7, 0.2], to: [1.1, 0.7, -0.2] },
    grade: { tint: [74, 98, 104], strength: 0.24, exposure: 1.06 },
    vignette: 0.42,
    live: gulls(kit, H * 0.3),
  });
}

function hillRank({ width: W, height: H, noise, mood, unit }: Kit, rank: number): Plane {
  const near = rank / 5;
  const base = H * (0.5 + 0.46 * near);
  const { canvas, pen } = layer(W, H);
  const tall = (x: number) =>
    unit * (0.2 - 0.06 * near) * noise((x / W) * (2.4 + rank * 0.9) + rank * 7, rank, 5) ** 1.5 * 1.6;
  const trees = (x: number) =>
    near > 0.3 && !mood.snow ? unit * 0.02 * near * Math.abs(Math.sin(x * 0.19) * noise(x * 0.07, rank, 2)) : 0;
  const shade = (value: number) => Math.round(value * (1 - near * 0.86));
  const [red, green, blue] = mood.snow ? [188, 200, 208] : mood.day ? [132, 152, 158] : [104, 116, 116];
  const fill = vertical(
    pen,
    [
      [0, `rgb(${shade(red)},${shade(green)},${shade(blue)})`],
      [1, `rgb(${shade(red * 0.8)},${shade(green * 0.84)},${shade(blue * 0.86)})`],
    ],
    base - unit * 0.2,
    H,
  );
  ridge(pen, H, 0, W, (x) => H - base + tall(x) + trees(x), fill);
  return { canvas, x: 0, y: 0, depth: 0.4 + near * 1.2 };
}

function mistRank({ width: W, height: H, noise, mood, random: r }: Kit, rank: number): Plane {
  const middle = 0.54 + 0.46 * (rank / 5);
  const { canvas, pen } = layer(W * 1.1, H);
  fog(pen, noise, {
    scale: [3 + rank, 9],
    colour: [214, 216, 210],
    alpha: (0.16 + 0.3 * mood.mist) * (1 - rank / 8),
    band: [middle - 0.12, middle + 0.1],
  });
  const way = r() < 0.5 ? -1 : 1;
  return { canvas, x: -W * 0.05, y: 0, depth: 0.5 + rank * 0.2, drift: (second) => [way * second * W * 0.003, 0] };
}
