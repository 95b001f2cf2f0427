import { useMemo } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { changeShape, type Shape, type ShapeEdit, shapesOf } from '../../../canvas/index.ts';
import { useImages, useMask } from '../useImages.ts';

export interface Shapes {
  all: readonly Shape[];
  chosen: Shape | undefined;
  choose(shape: Shape | undefined): void;
  /** What is typed or moved by keys, one behind the other, is one step. */
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
