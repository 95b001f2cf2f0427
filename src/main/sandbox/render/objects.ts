import type { Random } from '../random.ts';
import { bokeh, glow, type Pen, WARM } from './drawing.ts';
import { ferry, person, walker } from './figures.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Thing {
  words: RegExp;
  paint: (pen: Pen, box: Box, random: Random) => void;
}

/** Things that can be painted into a picture. The first one that the prompt names is painted. */
const THINGS: readonly Thing[] = [
  {
    words: /\b(moon|full moon)\b/i,
    paint: (pen, { x, y, width, height }) =>
      paintMoon(pen, x + width / 2, y + height / 2, Math.min(width, height) * 0.3),
  },
  { words: /\b(stars?|starry|sky)\b/i, paint: paintStars },
  {
    words: /\b(boat|ferry|ship|vessel|liner|trawler)\b/i,
    paint: (pen, { x, y, width, height }) =>
      ferry(pen, x + width * 0.1, y + height * 0.78, Math.min(width * 0.8, height * 2.6)),
  },
  { words: /\b(portrait|face|woman|profile)\b/i, paint: paintBust },
  { words: /\b(man|person|figure|somebody|someone|child|girl|boy|people|walker)\b/i, paint: paintWalker },
  { words: /\b(lamp|lantern|light|lights|lit|candle)\b/i, paint: paintLamp },
  { words: /\b(bokeh|blur|reflections?|rain)\b/i, paint: paintBokeh },
  { words: /\b(birds?|gulls?)\b/i, paint: paintBirds },
];

/** Whether the prompt names one of these things. */
export function namesObject(prompt: string): boolean {
  return THINGS.some(({ words }) => words.test(prompt));
}

/** Paints what the prompt names into the box. */
export function addObject(pen: Pen, prompt: string, box: Box, random: Random): void {
  const thing = THINGS.find(({ words }) => words.test(prompt));
  if (!thing) return;
  pen.save();
  thing.paint(pen, box, random);
  pen.restore();
}

function paintMoon(pen: Pen, x: number, y: number, radius: number): void {
  glow(pen, x, y, radius * 1.66, '190,210,226', 0.6);
  pen.fillStyle = '#e9eef0';
  pen.beginPath();
  pen.arc(x, y, radius * 0.62, 0, 2 * Math.PI);
  pen.fill();
}

function paintStars(pen: Pen, { x, y, width, height }: Box, random: Random): void {
  const count = Math.min(400, Math.round((width * height) / 900));
  for (let index = 0; index < count; index += 1) {
    const size = 0.5 + 1.5 * random() ** 3;
    pen.fillStyle = `rgba(226,234,240,${0.25 + 0.7 * random()})`;
    pen.fillRect(x + random() * width, y + random() * height, size, size);
  }
}

function paintBust(pen: Pen, { x, y, width, height }: Box): void {
  pen.fillStyle = '#050606';
  pen.shadowColor = 'rgba(255,180,110,.7)';
  pen.shadowBlur = height * 0.03;
  person(pen, x + width * 0.5, y + height * 0.5, height * 0.4);
}

function paintWalker(pen: Pen, { x, y, width, height }: Box): void {
  pen.fillStyle = '#0a0c0d';
  pen.shadowColor = 'rgba(255,190,130,.45)';
  pen.shadowBlur = height * 0.02;
  walker(pen, x + width * 0.5, y + height * 0.97, height * 0.9);
}

function paintLamp(pen: Pen, { x, y, width, height }: Box): void {
  const [middle, top] = [x + width / 2, y + height * 0.28];
  pen.fillStyle = '#080b0c';
  pen.fillRect(middle - width * 0.01, top, Math.max(2, width * 0.02), height);
  glow(pen, middle, top, Math.min(width * 0.5, height * 0.28), '255,164,76', 0.9);
  glow(pen, middle, top, Math.min(width, height) * 0.1, '255,238,206', 1);
}

function paintBokeh(pen: Pen, { x, y, width, height }: Box, random: Random): void {
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  const size = Math.min(width, height);
  bokeh(pen, random, {
    count: 220,
    from: y,
    to: y + height,
    smallest: size * 0.02,
    largest: size * 0.14,
    alpha: 0.6,
    colours: WARM,
  });
}

function paintBirds(pen: Pen, { x, y, width, height }: Box, random: Random): void {
  pen.strokeStyle = 'rgba(16,20,22,.85)';
  pen.lineWidth = Math.max(1.2, height * 0.012);
  for (let index = 0; index < 6; index += 1) {
    const [atX, atY, size] = [
      x + width * (0.12 + 0.76 * random()),
      y + height * (0.15 + 0.7 * random()),
      width * (0.03 + 0.04 * random()),
    ];
    pen.beginPath();
    pen.moveTo(atX - size, atY - size * 0.3);
    pen.quadraticCurveTo(atX - size * 0.4, atY - size * 0.4, atX, atY);
    pen.quadraticCurveTo(atX + size * 0.4, atY - size * 0.4, atX + size, atY - size * 0.3);
    pen.stroke();
  }
}
