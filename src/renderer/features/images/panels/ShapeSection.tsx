import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react';
import type { Asset } from '../../../../shared/asset.ts';
import { boundsOf, fittedTo, isResizable, movedBy, type ShapeEdit } from '../../../canvas/index.ts';
import { Field, Icon, IconButton, Kbd, NumberInput, Section, Segmented } from '../../../ui/index.ts';
import { useShapes } from '../stage/useShapes.ts';

const NAMES = { stroke: 'Stroke', area: 'Outline', rect: 'Rectangle', ellipse: 'Ellipse' } as const;

/** The chosen shape in figures, in picture pixels. */
export function ShapeSection({ asset }: { asset: Asset }) {
  const { all, chosen, choose, change } = useShapes(asset);
  if (!chosen) return null;
  const at = all.indexOf(chosen);
  const { edit } = chosen;
  return (
    <Section
      title={NAMES[edit.kind]}
      end={
        <span className="row t3">
          {`${at + 1} of ${all.length}`}
          <IconButton
            label="Shape before"
            off={at === 0 ? 'This is the first shape.' : undefined}
            onClick={() => choose(all[at - 1])}
          >
            <Icon of={ChevronLeft} />
          </IconButton>
          <IconButton
            label="Shape after"
            off={at === all.length - 1 ? 'This is the last shape.' : undefined}
            onClick={() => choose(all[at + 1])}
          >
            <Icon of={ChevronRight} />
          </IconButton>
        </span>
      }
    >
      <Figures edit={edit} onChange={change} />
      <div className="row shape-op">
        <Segmented
          small
          full
          aria-label="What the shape does"
          value={edit.op}
          onValue={(op) => change({ ...edit, op })}
          options={[
            { value: 'add', label: 'Add' },
            { value: 'subtract', label: 'Subtract' },
          ]}
        />
        <IconButton label="Remove the shape, Del" onClick={() => change(null)}>
          <Icon of={Trash2} />
        </IconButton>
      </div>
      <p className="t3">
        On the picture, arrows move by 1 px, <Kbd>Shift</Kbd> by 10; <Kbd>Alt</Kbd> resizes. <Kbd>Tab</Kbd> goes to the
        next shape.
      </p>
    </Section>
  );
}

/** A stroke has the size that was drawn. */
function Figures({ edit, onChange }: { edit: ShapeEdit; onChange: (to: ShapeEdit) => void }) {
  const box = boundsOf(edit);
  const { x, y, width, height } = box;
  const size = (patch: { width?: number; height?: number }) =>
    onChange(fittedTo(edit, { x, y, width, height, ...patch }));
  return (
    <div className="shape-figures">
      <Field label="x">
        <NumberInput
          value={Math.round(box.x)}
          onValue={(x) => x !== null && onChange(movedBy(edit, x - Math.round(box.x), 0))}
        />
      </Field>
      <Field label="y">
        <NumberInput
          value={Math.round(box.y)}
          onValue={(y) => y !== null && onChange(movedBy(edit, 0, y - Math.round(box.y)))}
        />
      </Field>
      <Field label="Width" disabled={!isResizable(edit)}>
        <NumberInput value={Math.round(box.width)} min={1} onValue={(width) => width && width > 0 && size({ width })} />
      </Field>
      <Field label="Height" disabled={!isResizable(edit)}>
        <NumberInput
          value={Math.round(box.height)}
          min={1}
          onValue={(height) => height && height > 0 && size({ height })}
        />
      </Field>
    </div>
  );
}
