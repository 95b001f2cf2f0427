import { z } from 'zod';
import type { MaskDocument, MaskEdit, MaskHistory, ShapeEdit } from './document.ts';
import type { Runs } from './runs.ts';

/** A mask with its history as text, for storage: points and runs as flat lists of numbers. */

const number = z.number();
const op = z.enum(['add', 'subtract']);
const points = z
  .array(number)
  .refine(({ length }) => length % 2 === 0)
  .transform((flat) =>
    Array.from({ length: flat.length / 2 }, (_, index) => ({ x: flat[index * 2] ?? 0, y: flat[index * 2 + 1] ?? 0 })),
  );
const runs = z
  .array(z.int())
  .refine(({ length }) => length % 3 === 0)
  .transform(runsOfSteps);
const box = { op, x: number, y: number, width: number, height: number };
const shapes = [
  z.object({ kind: z.literal('stroke'), op, radius: number, points }),
  z.object({ kind: z.literal('area'), op, points }),
  z.object({ kind: z.literal('rect'), ...box }),
  z.object({ kind: z.literal('ellipse'), ...box }),
] as const;
const edit = z.discriminatedUnion('kind', [
  ...shapes,
  z.object({
    kind: z.literal('pixels'),
    op: z.enum(['add', 'subtract', 'replace']),
    made: z.enum(['fill', 'import']),
    runs,
  }),
  z.object({ kind: z.literal('grow'), by: number }),
  z.object({ kind: z.literal('invert') }),
  z.object({ kind: z.literal('clear') }),
  z.object({
    kind: z.literal('change'),
    target: z.int(),
    to: z.discriminatedUnion('kind', shapes).nullable(),
    typed: z.boolean().optional(),
  }),
]);
const kept = z.object({ width: number, height: number, strokes: z.array(edit), undone: z.array(edit) });

/** Undefined if nothing was painted. */
export function textOfHistory({ document, undone }: MaskHistory): string | undefined {
  if (document.strokes.length === 0 && undone.length === 0) return undefined;
  const { width, height, strokes } = document;
  return `{"width":${width},"height":${height},"strokes":[${textsOf(strokes)}],"undone":[${textsOf(undone)}]}`;
}

/** Texts of edits with many pixels, which never change: without a cache, each later stroke would serialise megabytes again. */
const texts = new WeakMap<MaskEdit, string>();

const textsOf = (edits: readonly MaskEdit[]): string => edits.map(textOfEdit).join();

function textOfEdit(edit: MaskEdit): string {
  const text = texts.get(edit) ?? JSON.stringify(flatEdit(edit));
  if (edit.kind === 'pixels') texts.set(edit, text);
  return text;
}

/** The history in a text; undefined if the text is invalid or belongs to a picture of another size. */
export function historyOfText(text: string, size: Pick<MaskDocument, 'width' | 'height'>): MaskHistory | undefined {
  const { data } = kept.safeParse(parsed(text));
  if (data?.width !== size.width || data.height !== size.height) return undefined;
  const { strokes, undone } = data;
  return { document: { width: data.width, height: data.height, strokes }, undone };
}

/**
 * Appends the edits of `then` to those of `first`; changes of shapes keep their targets. A beginning that both share with `known` is not
 * repeated.
 */
export function paintedAfter(first: MaskHistory, then: MaskHistory, known?: MaskHistory): MaskHistory {
  const before = first.document.strokes;
  const shared = known ? sharedEdits(known.document.strokes, before, then.document.strokes) : 0;
  const moved = before.length - shared;
  const later = (one: MaskEdit): MaskEdit =>
    one.kind === 'change' && one.target >= shared ? { ...one, target: one.target + moved } : one;
  return {
    document: { ...then.document, strokes: [...before, ...then.document.strokes.slice(shared).map(later)] },
    undone: then.undone.map(later),
  };
}

/** Whether the edits of `then` begin with all edits of `first`. */
export const beginsWith = (then: MaskHistory, first: MaskHistory): boolean =>
  sharedEdits(first.document.strokes, then.document.strokes) === first.document.strokes.length;

/** How many first edits these lists share. */
function sharedEdits(first: readonly MaskEdit[], ...others: (readonly MaskEdit[])[]): number {
  const textOf = (one: MaskEdit | undefined) => one && textOfEdit(one);
  const at = first.findIndex((one, index) => others.some((edits) => textOf(edits[index]) !== textOf(one)));
  return at < 0 ? first.length : at;
}

function flatEdit(one: MaskEdit): unknown {
  if (one.kind === 'change') return { ...one, to: one.to && flatShape(one.to) };
  if (one.kind === 'pixels') return { ...one, runs: stepsOfRuns(one.runs) };
  return 'points' in one ? flatShape(one) : one;
}

const flatShape = (shape: ShapeEdit): unknown =>
  'points' in shape ? { ...shape, points: shape.points.flatMap(({ x, y }) => [x, y]) } : shape;

/** Each run as the rows below the previous run, its first column and its length: small numbers make short text. */
function stepsOfRuns(found: Runs): number[] {
  return Array.from(found, (value, at) => {
    if (at % 3 === 0) return value - (found[at - 3] ?? 0);
    return at % 3 === 1 ? value : value - (found[at - 1] ?? 0);
  });
}

function runsOfSteps(steps: readonly number[]): Runs {
  const found = new Int32Array(steps.length);
  for (const [at, step] of steps.entries()) {
    const from = at % 3 === 0 ? found[at - 3] : at % 3 === 2 ? found[at - 1] : 0;
    found[at] = step + (from ?? 0);
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
