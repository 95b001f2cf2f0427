import { createCanvas, loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MaskDocument, MaskEdit, Point } from './document.ts';
import { encodeMaskPng } from './png.ts';
import { type DecodedPicture, proveMask } from './proof.ts';
import { rasterise } from './rasterise.ts';

const document = (width: number, height: number, ...strokes: MaskEdit[]): MaskDocument => ({ width, height, strokes });
const at = (raster: { width: number; data: Uint8Array }, x: number, y: number) => raster.data[y * raster.width + x];

const countWhite = (data: Uint8Array) => data.filter((value) => value === 255).length;

/** A decoder that is not ours. */
async function decode(png: Uint8Array): Promise<DecodedPicture> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, rgba: data };
}

function distance(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = dx === 0 && dy === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy);
  const held = Math.min(1, Math.max(0, t));
  return Math.hypot(point.x - a.x - held * dx, point.y - a.y - held * dy);
}

const coordinate = fc.double({ min: -20, max: 60, noNaN: true });
const points = fc.array(fc.record({ x: coordinate, y: coordinate }), { minLength: 1, maxLength: 5 });

test('a brush paints exactly the pixels whose centre is within its radius of the line', () => {
  fc.assert(
    fc.property(points, fc.double({ min: 0.3, max: 15, noNaN: true }), (line, radius) => {
      const raster = rasterise(document(40, 40, { kind: 'stroke', op: 'add', radius, points: line }));
      for (let y = 0; y < 40; y++) {
        for (let x = 0; x < 40; x++) {
          const centre = { x: x + 0.5, y: y + 0.5 };
          const pairs = line.length === 1 ? [[line[0], line[0]]] : line.slice(1).map((b, index) => [line[index], b]);
          const near = Math.min(...pairs.map(([a, b]) => distance(centre, a as Point, b as Point)));
          if (Math.abs(near - radius) > 1e-6) expect(at(raster, x, y)).toBe(near < radius ? 255 : 0);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('an outline drawn over itself has no hole, in either direction', () => {
  const loop = [
    { x: 5, y: 5 },
    { x: 35, y: 5 },
    { x: 35, y: 35 },
    { x: 5, y: 35 },
  ];
  const once = rasterise(document(40, 40, { kind: 'area', op: 'add', points: loop }));
  const twice = rasterise(document(40, 40, { kind: 'area', op: 'add', points: [...loop, ...loop] }));
  const back = rasterise(document(40, 40, { kind: 'area', op: 'add', points: loop.toReversed() }));
  expect(countWhite(once.data)).toBe(900);
  expect(twice.data).toEqual(once.data);
  expect(back.data).toEqual(once.data);
});

test('a rectangle and an ellipse have their areas, and what lies outside the picture is cut off', () => {
  const rect = rasterise(document(40, 30, { kind: 'rect', op: 'add', x: -10, y: 20, width: 30, height: 100 }));
  expect(countWhite(rect.data)).toBe(20 * 10);
  const ellipse = rasterise(document(400, 400, { kind: 'ellipse', op: 'add', x: 50, y: 100, width: 300, height: 200 }));
  expect(countWhite(ellipse.data) / (Math.PI * 150 * 100)).toBeCloseTo(1, 2);
});

test('the eraser takes away, invert turns over, clear forgets, in the order they were done', () => {
  const all: MaskEdit = { kind: 'rect', op: 'add', x: 0, y: 0, width: 10, height: 10 };
  const left: MaskEdit = { kind: 'rect', op: 'subtract', x: 0, y: 0, width: 5, height: 10 };
  expect(countWhite(rasterise(document(10, 10, all, left)).data)).toBe(50);
  expect(at(rasterise(document(10, 10, all, left)), 2, 5)).toBe(0);
  expect(at(rasterise(document(10, 10, all, left, { kind: 'invert' })), 2, 5)).toBe(255);
  expect(countWhite(rasterise(document(10, 10, left, all)).data)).toBe(100);
  expect(countWhite(rasterise(document(10, 10, all, { kind: 'clear' }, { kind: 'invert' })).data)).toBe(100);
});

test('a mask drawn at four times its size covers the same part of the picture', () => {
  const stroke: MaskEdit = {
    kind: 'stroke',
    op: 'add',
    radius: 60,
    points: [
      { x: 200, y: 200 },
      { x: 800, y: 500 },
    ],
  };
  const once = rasterise(document(1024, 768, stroke));
  const four = rasterise(document(1024, 768, stroke), 4);
  expect([four.width, four.height]).toEqual([4096, 3072]);
  expect(countWhite(four.data) / 16 / countWhite(once.data)).toBeCloseTo(1, 2);
});

test('the file decodes to exactly what was painted, whatever the size and the strokes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 40 }), points, async (w, h, line) => {
      const painted = rasterise(document(w, h, { kind: 'stroke', op: 'add', radius: 9, points: line }));
      const png = await encodeMaskPng(painted);
      const proof = proveMask({ png, decoded: await decode(png), painted, source: { width: w, height: h } });
      expect(proof.checks).toEqual({ size: true, values: true, notEmpty: proof.white > 0, file: true });
      expect(proof.white).toBe(countWhite(painted.data));
      expect(proof.white + proof.black).toBe(w * h);
      expect(proof.bitDepth).toBe(1);
    }),
    { numRuns: 60 },
  );
});

test('the proof fails for a mask of another size, with greys, empty, or unlike what was painted', async () => {
  const painted = rasterise(document(30, 20, { kind: 'rect', op: 'add', x: 3, y: 3, width: 9, height: 9 }));
  const png = await encodeMaskPng(painted);
  const decoded = await decode(png);
  const source = { width: 30, height: 20 };
  expect(proveMask({ png, decoded, painted, source }).ok).toBe(true);
  expect(proveMask({ png, decoded, painted, source: { width: 20, height: 30 } }).checks.size).toBe(false);

  const grey = structuredClone(decoded);
  grey.rgba[4] = 128;
  const greyProof = proveMask({ png, decoded: grey, painted, source });
  expect([greyProof.checks.values, greyProof.other, greyProof.ok]).toEqual([false, 1, false]);

  const clear = structuredClone(decoded);
  clear.rgba[7] = 254;
  expect(proveMask({ png, decoded: clear, painted, source }).checks.values).toBe(false);

  const blank = rasterise(document(30, 20));
  const blankPng = await encodeMaskPng(blank);
  const blankProof = proveMask({ png: blankPng, decoded: await decode(blankPng), painted: blank, source });
  expect([blankProof.checks.notEmpty, blankProof.coverage, blankProof.ok]).toEqual([false, 0, false]);

  expect(proveMask({ png: blankPng, decoded: await decode(blankPng), painted, source }).checks.file).toBe(false);
});

test('a mask file of which a bit is wrong fails its proof', async () => {
  const painted = rasterise(document(30, 20, { kind: 'rect', op: 'add', x: 3, y: 3, width: 9, height: 9 }));
  const other = structuredClone(painted);
  other.data[0] = 255;
  const wrong = await encodeMaskPng(other);
  const read = proveMask({ png: wrong, decoded: await decode(wrong), painted, source: { width: 30, height: 20 } });
  expect([read.checks.file, read.checks.values, read.ok]).toEqual([false, true, false]);
});

test('a picture that is not one bit deep is not taken for the mask file', async () => {
  const painted = rasterise(document(8, 8, { kind: 'rect', op: 'add', x: 0, y: 0, width: 4, height: 8 }));
  const context = createCanvas(8, 8).getContext('2d');
  context.fillStyle = '#000';
  context.fillRect(0, 0, 8, 8);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, 4, 8);
  const png = Uint8Array.from(context.canvas.toBuffer('image/png'));
  const proof = proveMask({ png, decoded: await decode(png), painted, source: { width: 8, height: 8 } });
  expect([proof.checks.values, proof.bitDepth, proof.checks.file]).toEqual([true, 8, false]);
});

test('a mask grows to every pixel within so far of a white one, and shrinks from every black one, but not from the edge', () => {
  const side = 24;
  const spot = fc.record({ x: fc.integer({ min: 0, max: side - 1 }), y: fc.integer({ min: 0, max: side - 1 }) });
  const box = fc.record({ at: spot, width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 4 }), fc.integer({ min: -7, max: 7 }), (boxes, by) => {
      const painted = boxes.map(
        ({ at: corner, ...size }): MaskEdit => ({ kind: 'rect', op: 'add', ...corner, ...size }),
      );
      const before = rasterise(document(side, side, ...painted));
      const after = rasterise(document(side, side, ...painted, { kind: 'grow', by }));
      const spread = by > 0 ? 255 : 0;
      const all = Array.from({ length: side * side }, (_, index) => ({ x: index % side, y: Math.floor(index / side) }));
      const sources = all.filter(({ x, y }) => at(before, x, y) === spread);
      for (const { x, y } of all) {
        const isReached = sources.some((one) => Math.hypot(one.x - x, one.y - y) <= Math.abs(by));
        expect(at(after, x, y)).toBe(isReached ? spread : at(before, x, y));
      }
    }),
    { numRuns: 40 },
  );
});
