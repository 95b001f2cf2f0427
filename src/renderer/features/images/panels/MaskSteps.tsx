import {
  Brush,
  Circle,
  Contrast,
  Eraser,
  type LucideIcon,
  Maximize2,
  Minimize2,
  PaintBucket,
  Pentagon,
  Square,
  SquareDashed,
  Trash2,
} from 'lucide-react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ChangeEdit, type MaskEdit, stepTo } from '../../../canvas/index.ts';
import { formatCount, Icon, plural, Section } from '../../../ui/index.ts';
import { useIsTooLong } from '../keptMasks.ts';
import { useMask } from '../useImages.ts';

const MOST_LISTED = 200;

/** Every edit of the mask, oldest first. A click undoes or redoes up to that edit. */
export function MaskSteps({ asset }: { asset: Asset }) {
  const [{ document, undone }, change] = useMask(asset);
  const isTooLong = useIsTooLong(asset.id);
  const done = document.strokes.length;
  const all = [...document.strokes, ...undone.toReversed()];
  if (all.length === 0) return null;
  const from = Math.max(0, all.length - MOST_LISTED);
  const goTo = (count: number) => () => change((history) => stepTo(history, count));
  return (
    <Section
      title={t`History`}
      end={<span className="t3">{t`${formatCount(done)} of ${formatCount(all.length)}`}</span>}
    >
      {isTooLong && (
        <p className="t2" role="alert">
          {t`This mask is too large to save. Send the edit before you close the window, or undo large steps.`}
        </p>
      )}
      <ol className="lines">
        {from === 0 ? (
          <Step icon={SquareDashed} name={t`Empty mask`} isNow={done === 0} onGo={goTo(0)} />
        ) : (
          <li className="t3">{plural(from, 'earlier step')}</li>
        )}
        {all.slice(from).map((edit, index) => {
          const count = from + index + 1;
          return (
            <Step key={count} {...wordsOf(edit)} isNow={count === done} isUndone={count > done} onGo={goTo(count)} />
          );
        })}
      </ol>
    </Section>
  );
}

interface StepProps {
  icon: LucideIcon;
  name: string;
  detail?: string;
  isNow: boolean;
  isUndone?: boolean;
  onGo: () => void;
}

function Step({ icon, name, detail, isNow, isUndone = false, onGo }: StepProps) {
  return (
    <li>
      <button type="button" className={isUndone ? 't3' : ''} aria-current={isNow ? 'step' : undefined} onClick={onGo}>
        <Icon of={icon} />
        <span className="cut grow">{name}</span>
        <span className="t3 nums">{isUndone ? t`Undone` : detail}</span>
      </button>
    </li>
  );
}

type Words = Pick<StepProps, 'icon' | 'name' | 'detail'>;

const OPS = { add: t`Add`, subtract: t`Subtract` } as const;

function wordsOf(edit: MaskEdit): Words {
  switch (edit.kind) {
    case 'stroke': {
      const isEraser = edit.op === 'subtract';
      const width = Math.round(edit.radius * 2);
      const name = isEraser ? t`Eraser, ${width} px` : t`Brush, ${width} px`;
      return { icon: isEraser ? Eraser : Brush, name, detail: plural(edit.points.length, 'point') };
    }
    case 'area':
      return { icon: Pentagon, name: `${t`Outline`}, ${OPS[edit.op]}`, detail: plural(edit.points.length, 'point') };
    case 'rect':
    case 'ellipse': {
      const name = `${edit.kind === 'rect' ? t`Rectangle` : t`Ellipse`}, ${OPS[edit.op]}`;
      const detail = `${Math.round(edit.width)} × ${Math.round(edit.height)}`;
      return { icon: edit.kind === 'rect' ? Square : Circle, name, detail };
    }
    case 'pixels':
      return { icon: PaintBucket, name: edit.made === 'fill' ? t`Fill` : t`Imported mask` };
    case 'change':
      return changeWords(edit);
    case 'grow':
      return growWords(edit.by);
    case 'invert':
      return { icon: Contrast, name: t`Invert` };
    case 'clear':
      return { icon: Trash2, name: t`Clear` };
  }
}

function growWords(by: number): Words {
  return by > 0 ? { icon: Maximize2, name: t`Grow by ${by} px` } : { icon: Minimize2, name: t`Shrink by ${-by} px` };
}

function changeWords({ target, to }: ChangeEdit): Words {
  const detail = t`Step ${target + 1}`;
  if (!to) return { icon: Trash2, name: t`Remove shape`, detail };
  const { icon, name } = wordsOf(to);
  return { icon, name: t`Change: ${name}`, detail };
}
