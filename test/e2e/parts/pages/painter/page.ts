import {
  addEdit,
  emptyHistory,
  type MaskEdit,
  type MaskHistory,
  MaskPainter,
  type MaskProof,
  maskWorker,
  type PainterOptions,
  redo,
  undo,
} from '../../../../../src/renderer/canvas/index.ts';

/** The painter alone on a page, with handles to read what the page would store. */
const size = new URLSearchParams(location.search);
const width = Number(size.get('width') ?? 1000);
const height = Number(size.get('height') ?? 500);
const host = document.querySelector<HTMLElement>('#host');
if (!host) throw new Error('no host');
host.tabIndex = 0;

const picture = new OffscreenCanvas(width, height);
const context = picture.getContext('2d');
if (context) {
  context.fillStyle = '#345';
  context.fillRect(0, 0, width, height);
}
const url = URL.createObjectURL(await picture.convertToBlob());

let history = emptyHistory(width, height);
const options: PainterOptions = { tool: 'brush', op: 'add', brush: 40, overlay: 0.5 };
const keep = (next: MaskHistory): void => {
  history = next;
  painter.show(history.document);
};
let view = { zoom: 1, pointer: undefined as { x: number; y: number } | undefined };
const openPainter = () =>
  new MaskPainter(
    host,
    { width, height, url },
    {
      onEdit: (edit) => keep(addEdit(history, edit)),
      pixelsOf: async (document, colour) => (await maskWorker.run({ kind: 'paint', document, colour })).bitmap,
      onFill: () => undefined,
      onSelect: (index) => painter.select(index),
      onView: (next) => {
        view = next;
      },
    },
  );
let painter = openPainter();
painter.configure(options);

const handles = {
  get painter() {
    return painter;
  },
  /** Acts as if the page was left and opened again. */
  reopen: () => {
    painter.dispose();
    painter = openPainter();
    painter.configure(options);
    painter.show(history.document);
  },
  document: () => history.document,
  view: () => view,
  use: (patch: Partial<PainterOptions>) => painter.configure(Object.assign(options, patch)),
  undo: () => keep(undo(history)),
  redo: () => keep(redo(history)),
  /** Like a click with the fill tool. */
  fill: async (x: number, y: number) => {
    const { runs } = await maskWorker.run({ kind: 'flood', document: history.document, at: { x, y } });
    keep(addEdit(history, { kind: 'pixels', op: 'add', made: 'fill', runs }));
  },
  /** Like importing a mask in the dialog. */
  bring: async (file: Blob) => {
    const reading = { from: 'luminance', threshold: 128, invert: false } as const;
    const { mask } = await maskWorker.run({
      kind: 'import',
      picture: file,
      size: { width, height },
      fit: true,
      reading,
    });
    if (mask) keep(addEdit(history, { kind: 'pixels', op: 'replace', made: 'import', runs: mask.runs }));
  },
  add: (edit: MaskEdit) => keep(addEdit(history, edit)),
  prove: async (): Promise<{ proof: MaskProof; png: number[] }> => {
    const source = { width, height };
    const { proof, file } = await maskWorker.run({ kind: 'prove', document: history.document, source });
    return { proof, png: [...new Uint8Array(await file.arrayBuffer())] };
  },
  /** The opacity of the overlay at a point of the window, 0 to 255. */
  inkAt: (x: number, y: number) => {
    const canvas = host.querySelector('canvas');
    const ratio = canvas ? canvas.width / canvas.clientWidth : 1;
    return canvas?.getContext('2d')?.getImageData(x * ratio, y * ratio, 1, 1).data[3];
  },
};
export type PainterHandles = typeof handles;
Object.assign(window, { handles });
