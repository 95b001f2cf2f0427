import { type KeyboardEvent, useMemo } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import {
  boundsOf,
  changeShape,
  fittedTo,
  isResizable,
  movedBy,
  resizedBox,
  type Shape,
  type ShapeEdit,
  shapesOf,
} from '../../../canvas/index.ts';
import { useImages, useMask } from '../useImages.ts';

type Take = (does: () => void) => true;

/** The keys of Select and move; true if one was handled. After the last shape, Tab leaves the picture. */
export function shapeKeys(event: KeyboardEvent, shapes: Shapes): boolean {
  if (useImages.getState().painter.tool !== 'select' || event.ctrlKey || event.metaKey) return false;
  const take: Take = (does) => {
    event.preventDefault();
    does();
    return true;
  };
  const { chosen, change } = shapes;
  if (event.altKey) return chosen !== undefined && resize(event, chosen.edit, (to) => take(() => change(to)));
  return event.key === 'Tab'
    ? goOn(event, shapes, take)
    : chosen !== undefined && act(event, chosen.edit, shapes, take);
}

function goOn(event: KeyboardEvent, { all, chosen, choose }: Shapes, take: Take): boolean {
  const at = placeOf(all, chosen);
  const next = event.shiftKey ? all.at(at - 1) : all[at + 1];
  const isEnd = event.shiftKey && at === 0;
  return next && !isEnd ? take(() => choose(next)) : false;
}

function act({ key, shiftKey }: KeyboardEvent, edit: ShapeEdit, { choose, change }: Shapes, take: Take): boolean {
  const move = MOVES[key];
  const far = shiftKey ? 10 : 1;
  if (move) return take(() => change(movedBy(edit, move[0] * far, move[1] * far)));
  if (key === 'Delete' || key === 'Backspace') return take(() => change(null));
  return key === 'Escape' ? take(() => choose(undefined)) : false;
}

function resize({ key, shiftKey }: KeyboardEvent, edit: ShapeEdit, take: (to: ShapeEdit) => true): boolean {
  const move = MOVES[key];
  if (!move || !isResizable(edit)) return false;
  const far = shiftKey ? 10 : 1;
  const [dx, dy] = [move[0] * far, move[1] * far];
  const handle = { x: dx === 0 ? 0 : 1, y: dy === 0 ? 0 : 1 } as const;
  return take(fittedTo(edit, resizedBox(boundsOf(edit), handle, { dx, dy })));
}

const placeOf = (all: Shapes['all'], chosen: Shapes['chosen']): number =>
  all.findIndex(({ index }) => index === chosen?.index);

const MOVES: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Shapes {
  all: readonly Shape[];
  chosen: Shape | undefined;
  choose(shape: Shape | undefined): void;
  /** Consecutive changes by typing or keys are one step. */
  change(to: ShapeEdit | null): void;
}

export function useShapes(asset: Asset): Shapes {
  const [{ document }, change] = useMask(asset);
  const index = useImages((state) => state.chosen);
  const all = useMemo(() => shapesOf(document), [document]);
  const chosen = all.find((shape) => shape.index === index);
  return {
    all,
    chosen,
    choose: (shape) => useImages.setState({ chosen: shape?.index }),
    change: (to) => chosen && change((history) => changeShape(history, chosen.index, to, to !== null)),
  };
}
