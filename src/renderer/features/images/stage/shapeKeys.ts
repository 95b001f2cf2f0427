import type { KeyboardEvent } from 'react';
import { movedBy } from '../../../canvas/index.ts';
import { useImages } from '../useImages.ts';
import type { Shapes } from './useShapes.ts';

/** The keys of Select and move; true where one was taken. Behind the last shape, Tab leaves the picture. */
export function shapeKeys(event: KeyboardEvent, { all, chosen, choose, change }: Shapes): boolean {
  if (useImages.getState().painter.tool !== 'select' || event.altKey || event.ctrlKey || event.metaKey) return false;
  const take = (does: () => void): true => {
    event.preventDefault();
    does();
    return true;
  };
  if (event.key === 'Tab') {
    const next = event.shiftKey ? all.at(placeOf(all, chosen) - 1) : all[placeOf(all, chosen) + 1];
    const isEnd = event.shiftKey && placeOf(all, chosen) === 0;
    return next && !isEnd ? take(() => choose(next)) : false;
  }
  if (!chosen) return false;
  const move = MOVES[event.key];
  const far = event.shiftKey ? 10 : 1;
  if (move) return take(() => change(movedBy(chosen.edit, move[0] * far, move[1] * far)));
  if (event.key === 'Delete' || event.key === 'Backspace') return take(() => change(null));
  return event.key === 'Escape' ? take(() => choose(undefined)) : false;
}

const placeOf = (all: Shapes['all'], chosen: Shapes['chosen']): number =>
  all.findIndex(({ index }) => index === chosen?.index);

const MOVES: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
