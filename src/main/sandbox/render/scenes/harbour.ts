import { fog, glow, layer, polygon, ridge, vertical } from '../drawing.ts';
import { ferry, person, walker } from '../figures.ts';
import { breathe, flicker, type Kit, type Light, type Plane, type Scene } from '../scene.ts';
import { finishWater, mirror } from '../water.ts';
import { rainfall } from '../weather.ts';
import { finishScene } from './finishScene.ts';

/** A quay at night with lamps and a lit ferry, all reflected in the water. */
export function harbour(kit: Kit): Scene {
  const { width: W, height: H, random: r, noise, mood } = kit;
  const horizon = H * 0.64;
  const far = paintShore(kit, horizon);
  const bow = W * (0.25 + 0.12 * r());
  const length = Math.min(W * (0.5 + 0.08 * r()), kit.unit * 1.04);
  const ship = layer(W, horizon + H * 0.02);
  ferry(ship.pen, bow, horizon + 2, length, 1);
  const lamps = lampsOf(kit, horizon);
  const quay = paintQuay(kit, horizon, lamps);

  const above = layer(W, H);
  above.pen.drawImage(far, 0, 0);
  above.pen.drawImage(quay.posts, 0, 0);
  const surface = mirror(above.canvas, horizon, H - horizon, { noise, roughness: 1.1 });
  finishWater(surface, noise, 0.55);
  const shipAbove = layer(W, H);
  shipAbove.pen.drawImage(ship.canvas, 0, 0);
  const shipBelow = mirror(shipAbove.canvas, horizon, H - horizon, { noise, roughness: 1.1 });
  const depart = r() < 0.5 ? -1 : 1;
  const drift: Ship['drift'] = (second) => [depart * second * W * 0.0035, Math.sin(second * 1.1) * H * 0.0012];

  const front: Plane[] = [{ canvas: quay.ground, x: 0, y: 0, depth: 1.5 }];
  const figure = mood.person ? paintFigure(kit) : null;
  if (figure) front.push(figure);
  return finishScene(kit, {
    name: 'harbour',
    back: [
      { canvas: far, x: 0, y: 0, depth: 0.5 },
      { canvas: ship.canvas, x: 0, y: 0, depth: 0.8, drift },
      { canvas: quay.posts, x: 0, y: 0, depth: 1.2 },
    ],
    water: {
      top: horizon,
      sway: W * 0.006,
      speed: 1,
      sheets: [
        { canvas: surface, x: 0 },
        { canvas: shipBelow, x: 0, drift },
      ],
    },
    front,
    lights: [...lamps, ...shipLights(kit, { bow, length, horizon, drift })],
    weather: rainfall(r, W, H, mood.rain || 0.35, 0.08 + mood.wind * 0.1),
    camera: { from: [1.025, -0.4, 0], to: [1.085, 0.5 * -depart, 0.25] },
  });
}

interface Ship {
  bow: number;
  length: number;
  horizon: number;
  drift: (second: number) => [number, number];
}

/** The ship's mast lamp and lit decks. */
function shipLights({ random: r }: Kit, { bow, length, horizon, drift }: Ship): Light[] {
  return [
    {
      x: bow + length * 0.292,
      y: horizon - length * 0.4,
      radius: length * 0.05,
      rgb: '255,244,226',
      alpha: 0.8,
      depth: 0.8,
      pulse: breathe(r, 0.9, 2.6),
      drift,
    },
    {
      x: bow + length * 0.5,
      y: horizon - length * 0.15,
      radius: length * 0.36,
      rgb: '255,186,98',
      alpha: 0.16,
      depth: 0.8,
      pulse: breathe(r, 0.4, 5),
      drift,
    },
  ];
}

function paintShore(kit: Kit, horizon: number) {
  const { width: W, height: H, random: r, noise, mood } = kit;
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = vertical(
    pen,
    [
      [0, '#04090d'],
      [0.6, '#0b1a21'],
      [1, '#1c2e33'],
    ],
    0,
    horizon,
  );
  pen.fillRect(0, 0, W, H);
  if (mood.moon) paintMoon(kit, pen);
  fog(pen, noise, { scale: [5, 6], colour: [64, 92, 100], alpha: 0.36 + 0.3 * mood.mist, band: [0, 0.66] });
  ridge(pen, horizon, 0, W, (x) => H * (0.05 + 0.1 * noise((x / W) * 4 + 2, 9, 4)), '#070d10');
  for (let index = 0; index < 60; index += 1) {
    const x = r() * W;
    const y = horizon - r() * H * 0.07 - 4;
    glow(
      pen,
      x,
      y,
      (3 + r() * 12) * (kit.unit / 720),
      mood.warm[Math.floor(r() * mood.warm.length)] ?? '255,176,92',
      0.9,
    );
  }
  return canvas;
}

export function paintMoon({ width: W, unit, random: r }: Kit, pen: Parameters<typeof glow>[0]): void {
  const [x, y] = [W * (0.62 + 0.25 * r()), unit * (0.14 + 0.08 * r())];
  glow(pen, x, y, unit * 0.42, '190,210,226', 0.4);
  pen.fillStyle = '#e9eef0';
  pen.beginPath();
  pen.arc(x, y, unit * 0.03, 0, 2 * Math.PI);
  pen.fill();
}

function lampsOf({ width: W, height: H, unit, random: r, mood }: Kit, horizon: number): Light[] {
  const rgb = mood.warm[2] ?? '255,158,66';
  return [0, 1, 2, 3].flatMap((index) => {
    const x = W * (0.06 + index * 0.055) + unit * 0.03;
    const y = horizon - H * (0.34 - index * 0.05) + 4;
    const pulse = flicker(r, index === 2 ? 0.35 : 0.1);
    return [
      { x, y, radius: unit * 0.3, rgb, alpha: 0.3, depth: 1.2, pulse },
      { x, y, radius: unit * 0.04, rgb: '255,230,190', alpha: 0.9, depth: 1.2, pulse },
    ];
  });
}

/** Posts and lamps stand behind the water's edge and are mirrored; the ground lies in front. */
function paintQuay(kit: Kit, horizon: number, lamps: Light[]) {
  const { width: W, height: H, unit } = kit;
  const posts = layer(W, horizon + H * 0.012);
  posts.pen.fillStyle = '#080b0c';
  for (const { x, y, radius } of lamps) {
    if (radius > unit * 0.1) {
      posts.pen.fillRect(x - unit * 0.034, y - 4, Math.max(2, unit * 0.006), horizon - y);
      posts.pen.fillRect(x - unit * 0.034, y - 4, unit * 0.036, H * 0.006);
      glow(posts.pen, x, y, unit * 0.3, '255,158,66', 0.5);
    } else {
      glow(posts.pen, x, y, radius, '255,230,190', 1);
    }
  }
  const ground = layer(W, H);
  const { pen } = ground;
  pen.fillStyle = '#050809';
  pen.fillRect(0, horizon - H * 0.018, W * 0.29, H * 0.03);
  polygon(
    pen,
    [
      [0, horizon - 2],
      [W * 0.27, horizon - 2],
      [W * 0.1, H],
      [0, H],
    ],
    vertical(
      pen,
      [
        [0, 'rgba(6,9,10,.94)'],
        [1, 'rgba(4,6,7,.99)'],
      ],
      horizon,
      H,
    ),
  );
  glow(pen, W * 0.1, horizon + H * 0.1, W * 0.14, '255,150,60', 0.34);
  wetStones(kit, ground, horizon);
  pen.fillStyle = '#030506';
  walker(pen, W * 0.185, horizon + H * 0.05, unit * 0.15);
  return { posts: posts.canvas, ground: ground.canvas };
}

/** The lamps reflected on the wet stones. */
function wetStones({ width: W, height: H, random: r }: Kit, { pen }: ReturnType<typeof layer>, horizon: number): void {
  pen.save();
  pen.beginPath();
  for (const [x, y] of [
    [0, horizon],
    [W * 0.27, horizon],
    [W * 0.1, H],
    [0, H],
  ] as const)
    pen.lineTo(x, y);
  pen.clip();
  pen.globalCompositeOperation = 'screen';
  for (let index = 0; index < 130; index += 1) {
    const near = r() ** 1.5;
    const y = horizon + near * (H - horizon);
    pen.fillStyle = `rgba(255,176,100,${0.02 + 0.09 * r() * (1 - near)})`;
    pen.fillRect(r() * W * 0.24, y, W * (0.008 + 0.03 * near) * (0.4 + r()), 1 + near * 2.4);
  }
  pen.restore();
}

/** A person in the foreground, rim-lit by the lamps. */
function paintFigure({ width: W, height: H, unit, mood }: Kit): Plane {
  const { canvas, pen } = layer(W, H);
  pen.fillStyle = '#020304';
  pen.shadowColor = 'rgba(255,170,90,.8)';
  pen.shadowBlur = unit * 0.022;
  const size = unit * (mood.close ? 0.42 : 0.3);
  person(pen, W * 0.68, H - size * 1.72, size, mood.facing === 1 ? -1 : 1);
  return {
    canvas,
    x: 0,
    y: 0,
    depth: 2.2,
    drift: (second) => [Math.sin(second * 0.5) * unit * 0.003, Math.sin(second * 1.4) * unit * 0.0016],
  };
}
