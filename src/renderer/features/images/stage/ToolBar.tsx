import { Contrast, Maximize2, PanelLeft, Redo2, Trash2, Undo2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import { addEdit, MAX_BRUSH, MAX_GROW, MIN_BRUSH, redo, stepBrush, undo } from '../../../canvas/index.ts';
import {
  Button,
  DialogActions,
  Icon,
  IconButton,
  Kbd,
  NumberInput,
  Popover,
  Segmented,
  Slider,
} from '../../../ui/index.ts';
import styles from '../images.module.css';
import { setPainter, useImages, useMask } from '../useImages.ts';
import { TOOLS } from './ToolColumn.tsx';

/** The settings of the active tool, and actions on the whole mask. */
export function ToolBar({ asset }: { asset: Asset }) {
  const { painter, isDrawerOpen } = useImages();
  const entry = TOOLS.find(({ tool }) => tool === painter.tool);
  const isBrush = painter.tool === 'brush' || painter.tool === 'eraser';
  return (
    <div className="bar">
      <Button
        variant="ghost"
        className="drawer-tab"
        aria-pressed={isDrawerOpen}
        onClick={() => useImages.setState({ isDrawerOpen: !isDrawerOpen })}
      >
        <Icon of={PanelLeft} />
        {t`Prompt`}
      </Button>
      {entry && (
        <span className={`row ${styles.toolName}`}>
          <Icon of={entry.icon} size="m" />
          <b>{entry.name}</b>
        </span>
      )}
      {isBrush && <BrushSize />}
      {painter.tool !== 'hand' && painter.tool !== 'eraser' && painter.tool !== 'select' && <AddOrSubtract />}
      {painter.tool === 'fill' && <FillAll asset={asset} />}
      <span className={`row t2 ${styles.overlay}`}>
        <span>{t`Overlay`}</span>
        <Slider
          aria-label={t`Overlay`}
          min={0.1}
          max={1}
          step={0.05}
          value={painter.overlay}
          onValue={(overlay) => setPainter({ overlay })}
        />
        <span className={styles.percent}>{Math.round(painter.overlay * 100)} %</span>
      </span>
      <span className="grow" />
      <MaskActions asset={asset} />
    </div>
  );
}

/** A logarithmic slider: equal distances are equal factors. */
const toSlider = (size: number): number => Math.log2(size / MIN_BRUSH);
const fromSlider = (value: number): number => Math.round(MIN_BRUSH * 2 ** value);

function BrushSize() {
  const brush = useImages((state) => state.painter.brush);
  const set = (size: number) => setPainter({ brush: Math.min(MAX_BRUSH, Math.max(MIN_BRUSH, Math.round(size))) });
  const smallerHint = useShortcut('painter.smaller', () => set(stepBrush(brush, -1)));
  const largerHint = useShortcut('painter.larger', () => set(stepBrush(brush, 1)));
  return (
    <>
      <span className={`row t2 ${styles.brushSize}`}>
        <span>{t`Size`}</span>
        <Slider
          aria-label={t`Brush size`}
          min={0}
          max={toSlider(MAX_BRUSH)}
          step={0.05}
          value={toSlider(brush)}
          onValue={(value) => set(fromSlider(value))}
        />
        <NumberInput
          aria-label={t`Brush size`}
          value={brush}
          min={MIN_BRUSH}
          max={MAX_BRUSH}
          unit="px"
          kbd={`${smallerHint} ${largerHint}`}
          onValue={(size) => size !== null && set(size)}
        />
      </span>
      <span className="sepv" />
    </>
  );
}

function AddOrSubtract() {
  const op = useImages((state) => state.painter.op);
  return (
    <>
      <Segmented
        small
        aria-label={t`Add or subtract`}
        value={op}
        onValue={(next) => setPainter({ op: next })}
        options={[
          { value: 'add', label: t`Add` },
          { value: 'subtract', label: t`Subtract`, kbd: <Kbd>Ctrl</Kbd> },
        ]}
      />
      <span className="sepv" />
    </>
  );
}

function FillAll({ asset: { width, height }, asset }: { asset: Asset }) {
  const op = useImages((state) => state.painter.op);
  const [, change] = useMask(asset);
  const all = () => change((history) => addEdit(history, { kind: 'rect', op, x: 0, y: 0, width, height }));
  return <Button onClick={all}>{op === 'add' ? t`Fill all` : t`Empty all`}</Button>;
}

function MaskActions({ asset }: { asset: Asset }) {
  const [{ document, undone }, change] = useMask(asset);
  const isEmpty = document.strokes.length === 0 || document.strokes.at(-1)?.kind === 'clear';
  const actions = {
    undo: () => change(undo),
    redo: () => change(redo),
    invert: () => change((history) => addEdit(history, { kind: 'invert' })),
    clear: () => change((history) => addEdit(history, { kind: 'clear' })),
  };
  const redoHints = [useShortcut('painter.redo', actions.redo), useShortcut('painter.redoToo', actions.redo)];
  const hints = {
    undo: useShortcut('painter.undo', actions.undo),
    redo: redoHints.join(' / '),
    invert: useShortcut('painter.invert', actions.invert),
    clear: useShortcut('painter.clear', () => !isEmpty && actions.clear()),
  };
  return (
    <span className="row gap-s">
      <IconButton
        label={t`Undo`}
        tip={hints.undo}
        off={document.strokes.length === 0 ? t`Nothing to undo` : undefined}
        onClick={actions.undo}
      >
        <Icon of={Undo2} />
      </IconButton>
      <IconButton
        label={t`Redo`}
        tip={hints.redo}
        off={undone.length === 0 ? t`Nothing to redo` : undefined}
        onClick={actions.redo}
      >
        <Icon of={Redo2} />
      </IconButton>
      <IconButton label={t`Invert`} tip={hints.invert} onClick={actions.invert}>
        <Icon of={Contrast} />
      </IconButton>
      <GrowMask asset={asset} isEmpty={isEmpty} />
      <IconButton
        label={t`Clear`}
        tip={hints.clear}
        off={isEmpty ? t`The mask is empty.` : undefined}
        onClick={actions.clear}
      >
        <Icon of={Trash2} />
      </IconButton>
    </span>
  );
}

/** Grows or shrinks the whole mask by a number of pixels, as one undoable step. */
function GrowMask({ asset, isEmpty }: { asset: Asset; isEmpty: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const hint = useShortcut('painter.grow', () => setOpen(true), !isEmpty);
  const trigger = (
    <IconButton label={t`Grow and shrink`} tip={hint} off={isEmpty ? t`The mask is empty.` : undefined}>
      <Icon of={Maximize2} />
    </IconButton>
  );
  return (
    <Popover title={t`Grow and shrink`} trigger={trigger} open={isOpen} onOpen={(next) => setOpen(next && !isEmpty)}>
      <GrowForm asset={asset} onClose={() => setOpen(false)} />
    </Popover>
  );
}

function GrowForm({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const [by, setBy] = useState(2);
  const [, change] = useMask(asset);
  const set = (next: number | null) => setBy(Math.min(MAX_GROW, Math.max(-MAX_GROW, Math.round(next ?? 0))));
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (by === 0) return;
    change((history) => addEdit(history, { kind: 'grow', by }));
    onClose();
  };
  return (
    <form className={`col ${styles.growMask}`} onSubmit={apply}>
      <NumberInput
        aria-label={t`Pixels, negative to shrink`}
        value={by}
        min={-MAX_GROW}
        max={MAX_GROW}
        unit="px"
        format={{ signDisplay: 'exceptZero', maximumFractionDigits: 0 }}
        onValue={set}
      />
      <div className="row">
        <DialogActions
          type="submit"
          onClose={onClose}
          keep={t`Leave`}
          off={by === 0 ? t`Enter a number other than 0.` : undefined}
        >
          {by < 0 ? t`Shrink` : t`Grow`}
        </DialogActions>
      </div>
    </form>
  );
}
