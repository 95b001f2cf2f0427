import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { isFocusFree, useShortcut, useStudio } from '../../../app/index.ts';
import { addEdit, type MaskDocument, MaskPainter, maskWorker, type PainterTool } from '../../../canvas/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { Kbd, TextAction } from '../../../ui/index.ts';
import styles from '../images.module.css';
import { useKeptMask } from '../keptMasks.ts';
import { useImages, useMask } from '../useImages.ts';
import { fillAt } from './fillAt.ts';
import { shapeKeys, useShapes } from './shapeKeys.ts';
import { ToolColumn } from './ToolColumn.tsx';

const pixelsOf = async (document: MaskDocument, colour: string) =>
  (await maskWorker.run({ kind: 'paint', document, colour })).bitmap;

interface View {
  zoom: number;
  pointer: { x: number; y: number } | undefined;
}

export function PainterStage({ asset }: { asset: Asset }) {
  const host = useRef<HTMLDivElement>(null);
  const [painter, setPainter] = useState<MaskPainter>();
  const [view, setView] = useState<View>({ zoom: 1, pointer: undefined });
  const [{ document, undone }, change] = useMask(asset);
  useKeptMask(asset);
  const changeNow = useEffectEvent(change);
  const { id, width, height } = asset;
  useEffect(() => {
    if (!host.current || width === 0) return;
    const created = new MaskPainter(
      host.current,
      { url: mediaUrl(id), width, height },
      {
        onEdit: (edit) => changeNow((history) => addEdit(history, edit)),
        onFill: (at, op) => void fillAt((edit) => changeNow(edit), at, op),
        onSelect: (chosen) => useImages.setState({ chosen }),
        onView: setView,
        pixelsOf,
      },
    );
    setPainter(created);
    // The button that led here is gone, so the focus moves to the picture.
    if (isFocusFree()) host.current.focus({ preventScroll: true });
    return () => {
      setPainter(undefined);
      created.dispose();
    };
  }, [id, width, height]);
  useEffect(() => painter?.show(document), [painter, document]);
  const chosen = useImages((state) => state.chosen);
  useEffect(() => painter?.select(chosen), [painter, chosen]);
  const shapes = useShapes(asset);
  usePainterState(painter);
  usePanKey(painter);
  return (
    <div className={styles.stage}>
      <ToolColumn asset={asset} />
      <div className={styles.canvas}>
        <div
          ref={host}
          className={styles.host}
          role="application"
          aria-label={t`Mask editor`}
          aria-describedby={KEYS_HINT}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: painting by keys needs the focus here.
          tabIndex={0}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && painter?.nudge(0, 0)}
          onKeyDown={(event) => {
            if (!shapeKeys(event, shapes)) keys(event, painter);
          }}
        />
      </div>
      <ZoomLine
        painter={painter}
        view={view}
        strokes={document.strokes.length}
        all={document.strokes.length + undone.length}
      />
    </div>
  );
}

/** Painting by keys: pointer actions in steps of screen pixels. */
function keys(event: KeyboardEvent, painter: MaskPainter | undefined): void {
  if (!painter || event.altKey) return;
  const far = event.shiftKey ? 1 : 16;
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [-far, 0],
    ArrowRight: [far, 0],
    ArrowUp: [0, -far],
    ArrowDown: [0, far],
  };
  const move = moves[event.key];
  if (move) painter.nudge(...move);
  else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) painter.press();
  else if (event.key === '+' || event.key === '=') painter.zoomBy(1.25);
  else if (event.key === '-') painter.zoomBy(0.8);
  else if (!dropped(event.key, painter)) return;
  event.preventDefault();
}

/** Whether the key undid a started gesture: its last corner, or all of it. */
function dropped(key: string, painter: MaskPainter): boolean {
  if (key === 'Backspace') return painter.takeBack();
  return key === 'Escape' && painter.cancel();
}

function usePainterState(painter: MaskPainter | undefined): void {
  const options = useImages((state) => state.painter);
  const isHidden = useImages((state) => state.isOverlayHidden);
  const theme = useStudio((state) => state.settings?.theme);
  useEffect(() => {
    painter?.configure(isHidden ? { ...options, overlay: 0 } : options);
  }, [painter, options, isHidden]);
  useEffect(() => {
    useImages.setState({ hand: painter });
    return () => useImages.setState({ hand: undefined });
  }, [painter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme changes the colour that is read.
  useEffect(() => {
    const frame = requestAnimationFrame(() => painter?.retheme());
    return () => cancelAnimationFrame(frame);
  }, [painter, theme]);
}

/** Space pans while it is held, wherever the focus is, except in text. */
function usePanKey(painter: MaskPainter | undefined): void {
  useEffect(() => {
    const isOurs = ({ key, target }: globalThis.KeyboardEvent) =>
      key === ' ' && !(target instanceof HTMLElement && target.closest('input, textarea, button, a, [role="dialog"]'));
    const down = (event: globalThis.KeyboardEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      painter?.holdPan(true);
    };
    const up = ({ key }: globalThis.KeyboardEvent) => key === ' ' && painter?.holdPan(false);
    window.addEventListener('keydown', down);
    window.addEventListener('keyup', up);
    return () => {
      window.removeEventListener('keydown', down);
      window.removeEventListener('keyup', up);
    };
  }, [painter]);
}

interface ZoomLineProps {
  painter: MaskPainter | undefined;
  view: View;
  strokes: number;
  all: number;
}

const KEYS_HINT = 'painter-keys';
const LINE_HINT = t`Shift-click draws a straight line`;
const HAND_HINTS: Partial<Record<PainterTool, string>> = {
  polygon: t`Click sets a corner, double-click closes, Backspace removes one`,
  select: t`Shift keeps the ratio`,
  fill: t`Click to fill an enclosed area`,
  rect: t`Shift keeps the ratio`,
  ellipse: t`Shift keeps the ratio`,
};
const KEY_HINTS: Partial<Record<PainterTool, string>> = {
  polygon: t`Enter sets a corner, Enter twice closes, Backspace removes one`,
  select: t`Tab selects, arrows move, Alt resizes, Del removes`,
};

function ZoomLine({ painter, view, strokes, all }: ZoomLineProps) {
  const fit = () => painter?.fit();
  const actual = () => painter?.actualSize();
  const tool = useImages((state) => state.painter.tool);
  const fitHint = useShortcut('painter.fit', fit);
  const actualHint = useShortcut('painter.actual', actual);
  return (
    <div className={`row ${styles.zoom}`}>
      <span className={styles.percent}>{Math.round(view.zoom * 100)} %</span>
      <TextAction onClick={fit}>
        {t`Fit`} <Kbd>{fitHint}</Kbd>
      </TextAction>
      <TextAction onClick={actual}>
        100 % <Kbd>{actualHint}</Kbd>
      </TextAction>
      <span className="grow" />
      {view.pointer && (
        <span className="mono">{t`x ${Math.floor(view.pointer.x)} y ${Math.floor(view.pointer.y)}`}</span>
      )}
      <span className={styles.byHand}>{HAND_HINTS[tool] ?? LINE_HINT}</span>
      <span className={styles.byKeys} id={KEYS_HINT}>
        {KEY_HINTS[tool] ?? t`Arrows move, Enter starts and ends a stroke, Esc cancels it`}
      </span>
      {all > 0 && <span>{t`Stroke ${strokes} of ${all}`}</span>}
    </div>
  );
}
