import {
  Brush,
  Circle,
  Eraser,
  Eye,
  EyeOff,
  Hand,
  Lasso,
  type LucideIcon,
  MousePointer2,
  PaintBucket,
  Pentagon,
  Square,
} from 'lucide-react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ActionId, useKeyHint, useShortcut } from '../../../app/index.ts';
import type { PainterTool } from '../../../canvas/index.ts';
import { Icon, IconButton } from '../../../ui/index.ts';
import styles from '../images.module.css';
import { setPainter, useImages } from '../useImages.ts';
import { ImportMask } from './ImportMask.tsx';

interface ToolEntry {
  tool: PainterTool;
  name: string;
  icon: LucideIcon;
  action: ActionId;
}

export const TOOLS: readonly ToolEntry[] = [
  { tool: 'select', name: t`Select and move`, icon: MousePointer2, action: 'painter.select' },
  { tool: 'hand', name: t`Hand`, icon: Hand, action: 'painter.hand' },
  { tool: 'brush', name: t`Brush`, icon: Brush, action: 'painter.brush' },
  { tool: 'eraser', name: t`Eraser`, icon: Eraser, action: 'painter.eraser' },
  { tool: 'lasso', name: t`Lasso`, icon: Lasso, action: 'painter.lasso' },
  { tool: 'fill', name: t`Fill`, icon: PaintBucket, action: 'painter.fill' },
  { tool: 'rect', name: t`Rectangle`, icon: Square, action: 'painter.shape' },
  { tool: 'ellipse', name: t`Ellipse`, icon: Circle, action: 'painter.shape' },
  { tool: 'polygon', name: t`Polygon`, icon: Pentagon, action: 'painter.shape' },
];

const SHAPES: readonly PainterTool[] = ['rect', 'ellipse', 'polygon'];

/** The tools with their keys. U cycles through the shapes. */
export function ToolColumn({ asset }: { asset: Asset }) {
  const current = useImages((state) => state.painter.tool);
  const isHidden = useImages((state) => state.isOverlayHidden);
  const pick = (tool: PainterTool) => setPainter({ tool });
  useShortcut('painter.select', () => pick('select'));
  useShortcut('painter.fill', () => pick('fill'));
  useShortcut('painter.hand', () => pick('hand'));
  useShortcut('painter.brush', () => pick('brush'));
  useShortcut('painter.eraser', () => pick('eraser'));
  useShortcut('painter.lasso', () => pick('lasso'));
  useShortcut('painter.shape', () => pick(SHAPES[(SHAPES.indexOf(current) + 1) % SHAPES.length] ?? 'rect'));
  const hide = () => useImages.setState({ isOverlayHidden: !isHidden });
  const hint = useShortcut('painter.hide', hide);
  return (
    <div className={styles.tools} role="toolbar" aria-label={t`Tools`} aria-orientation="vertical">
      {TOOLS.map((entry) => (
        <Tool key={entry.tool} entry={entry} isOn={entry.tool === current} onPick={() => pick(entry.tool)} />
      ))}
      <hr />
      <ImportMask asset={asset} />
      <IconButton label={t`Hide the mask`} tip={hint} aria-pressed={isHidden} onClick={hide}>
        <Icon of={isHidden ? EyeOff : Eye} size="m" />
      </IconButton>
    </div>
  );
}

function Tool({ entry, isOn, onPick }: { entry: ToolEntry; isOn: boolean; onPick: () => void }) {
  const hint = useKeyHint(entry.action);
  return (
    <IconButton label={entry.name} tip={hint} aria-pressed={isOn} onClick={onPick}>
      <Icon of={entry.icon} size="m" />
      <i>{hint}</i>
    </IconButton>
  );
}
