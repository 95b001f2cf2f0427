import { fog, glow, layer, linear, type Pen, polygon } from '../drawing.ts';
import { walker } from '../figures.ts';
import { breathe, flicker, type Kit, type Light, type Scene } from '../scene.ts';
import { CALM } from '../weather.ts';
import { finishScene } from './finishScene.ts';

/** A car deck under neon tubes, with brake lights and a distant person in the lane. */
export function cardeck(kit: Kit): Scene {
  const { width: W, height: H, unit, noise } = kit;
  const [vx, vy] = [W * 0.52, H * 0.44];
  const { canvas, pen } = layer(W, H);
  paintHall(pen, vx, vy);
  const tubes = paintBays(kit, pen, vx, vy);
  const cars: [number, number, number][] = [
    [0.3, 0.72, 1],
    [0.42, 0.58, 0.45],
    [0.68, 0.66, 0.75],
  ];
  const brakes = cars.flatMap(([x, y, scale]) => paintCar(kit, pen, W * x, H * y, scale));
  pen.fillStyle = '#040606';
  walker(pen, vx, vy + unit * 0.075, unit * 0.085);
  fog(pen, noise, { scale: [3, 3], colour: [160, 200, 180], alpha: 0.16 });
  return finishScene(kit, {
    name: 'cardeck',
    back: [{ canvas, x: 0, y: 0, depth: 1 }],
    water: null,
    front: [],
    lights: [...tubes, ...brakes],
    weather: CALM,
    camera: { from: [1.02, 0.2, 0.2], to: [1.16, -0.2, -0.3] },
    grade: { tint: [44, 104, 84], strength: 0.3, exposure: 1.14 },
  });
}

/** Ceiling, floor and walls, meeting at the far bulkhead. */
function paintHall(pen: Pen, vx: number, vy: number): void {
  const { width: W, height: H } = pen.canvas;
  const [left, right, top, bottom] = [vx - 40, vx + 40, vy - 24, vy + 34];
  const shade = (line: [number, number, number, number], from: string, to: string) =>
    linear(pen, line, [
      [0, from],
      [1, to],
    ]);
  const side = (points: [number, number][], fill: ReturnType<typeof linear>) => polygon(pen, points, fill);
  pen.fillStyle = '#0a0c0c';
  pen.fillRect(0, 0, W, H);
  side(
    [
      [0, 0],
      [W, 0],
      [right, top],
      [left, top],
    ],
    shade([0, 0, 0, vy], '#1d2422', '#0c1110'),
  );
  side(
    [
      [0, H],
      [W, H],
      [right, bottom],
      [left, bottom],
    ],
    shade([0, vy, 0, H], '#0e1413', '#232a27'),
  );
  side(
    [
      [0, 0],
      [0, H],
      [left, bottom],
      [left, top],
    ],
    shade([0, 0, vx, 0], '#151d1b', '#0c1110'),
  );
  side(
    [
      [W, 0],
      [W, H],
      [right, bottom],
      [right, top],
    ],
    shade([W, 0, vx, 0], '#121a18', '#0b100f'),
  );
}

/** Frames and tubes, closer together in the distance. One tube flickers. */
function paintBays({ width: W, height: H, random: r, unit }: Kit, pen: Pen, vx: number, vy: number): Light[] {
  const lights: Light[] = [];
  const failing = 3 + Math.floor(r() * 4);
  for (let bay = 1; bay < 9; bay += 1) {
    const near = (bay / 9) ** 2.2;
    const [left, right] = [vx - 40 - (vx - 40) * near, vx + 40 + (W - vx - 40) * near];
    const [top, bottom] = [vy - 24 - (vy - 24) * near, vy + 34 + (H - vy - 34) * near];
    pen.strokeStyle = 'rgba(0,0,0,.5)';
    pen.lineWidth = 1 + near * 10;
    pen.strokeRect(left, top, right - left, bottom - top);
    for (const share of [0.3, 0.7]) {
      const x = left + (right - left) * share;
      pen.fillStyle = '#eafcf0';
      pen.fillRect(x - 12 * near - 2, top + 2, 24 * near + 4, 3 * near + 1);
      glow(pen, x, bottom - 4, (130 * near + 10) * (unit / 720), '150,220,190', 0.14);
      const pulse = bay === failing && share === 0.7 ? stutter(r) : flicker(r, 0.05);
      lights.push({
        x,
        y: top + 4,
        radius: (160 * near + 18) * (unit / 720),
        rgb: '196,255,222',
        alpha: 0.5,
        depth: 1,
        pulse,
      });
    }
  }
  return lights;
}

/** A flickering tube: on, with short dark gaps. */
function stutter(random: Kit['random']): (second: number) => number {
  const phase = random() * 10;
  return (second) => {
    const wave = Math.sin((second + phase) * 7.3) + Math.sin((second + phase) * 17.9);
    return wave > 1.05 ? 0.15 : 1;
  };
}

function paintCar({ unit, random: r }: Kit, pen: Pen, x: number, y: number, scale: number): Light[] {
  const size = scale * (unit / 720);
  pen.fillStyle = '#040505';
  pen.beginPath();
  pen.roundRect(x - 90 * size, y - 70 * size, 180 * size, 110 * size, [40 * size, 40 * size, 8, 8]);
  pen.fill();
  pen.fillStyle = 'rgba(160,210,190,.16)';
  pen.beginPath();
  pen.roundRect(x - 62 * size, y - 56 * size, 124 * size, 34 * size, [24 * size, 24 * size, 4, 4]);
  pen.fill();
  const pulse = breathe(r, 0.5, 3 + 3 * r());
  return [-1, 1].flatMap((side) => {
    const at = x + side * 62 * size;
    glow(pen, at, y + 4 * size, 16 * size, '255,200,180', 1);
    return [{ x: at, y: y + 4 * size, radius: 120 * size, rgb: '255,90,60', alpha: 0.7, depth: 1, pulse }];
  });
}
