import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { boundsOf, fittedTo, isResizable, movedBy, type ShapeEdit } from '../../../canvas/index.ts';
import { Field, Icon, IconButton, NumberInput, Section, Segmented } from '../../../ui/index.ts';
import { useShapes } from '../stage/shapeKeys.ts';
import styles from './panels.module.css';

const NAMES = { stroke: t`Stroke`, area: t`Outline`, rect: t`Rectangle`, ellipse: t`Ellipse` } as const;

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
          {t`${at + 1} of ${all.length}`}
          <IconButton label={t`Previous shape`} onClick={() => choose(all.at(at - 1))}>
            <Icon of={ChevronLeft} />
          </IconButton>
          <IconButton label={t`Next shape`} onClick={() => choose(all[(at + 1) % all.length])}>
            <Icon of={ChevronRight} />
          </IconButton>
        </span>
      }
    >
      <Figures edit={edit} onChange={change} />
      <div className={`row mt mb ${styles.shapeOp}`}>
        <Segmented
          small
          full
          aria-label={t`Add or subtract`}
          value={edit.op}
          onValue={(op) => change({ ...edit, op })}
          options={[
            { value: 'add', label: t`Add` },
            { value: 'subtract', label: t`Subtract` },
          ]}
        />
        <IconButton label={t`Remove shape`} tip="Del" onClick={() => change(null)}>
          <Icon of={Trash2} />
        </IconButton>
      </div>
    </Section>
  );
}

/** A stroke keeps the size that was drawn. */
function Figures({ edit, onChange }: { edit: ShapeEdit; onChange: (to: ShapeEdit) => void }) {
  const box = boundsOf(edit);
  const { x, y, width, height } = box;
  const size = (patch: { width?: number; height?: number }) =>
    onChange(fittedTo(edit, { x, y, width, height, ...patch }));
  return (
    <div className={styles.shapeFigures}>
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
      <Field label={t`Width`} disabled={!isResizable(edit)}>
        <NumberInput value={Math.round(box.width)} min={1} onValue={(width) => width && width > 0 && size({ width })} />
      </Field>
      <Field label={t`Height`} disabled={!isResizable(edit)}>
        <NumberInput
          value={Math.round(box.height)}
          min={1}
          onValue={(height) => height && height > 0 && size({ height })}
        />
      </Field>
    </div>
  );
}
