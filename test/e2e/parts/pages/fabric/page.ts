import { Canvas, PencilBrush } from 'fabric';

/** Fabric's own brush and export, for the bench. */
const size = Number(new URLSearchParams(location.search).get('width') ?? 4096);
const element = document.querySelector('canvas');
if (!element) throw new Error('no canvas');
const canvas = new Canvas(element, { isDrawingMode: true, backgroundColor: '#000' });
const zoom = Math.min(element.width, element.height) / size;
canvas.setZoom(zoom);
canvas.freeDrawingBrush = new PencilBrush(canvas);
Object.assign(canvas.freeDrawingBrush, { color: '#fff', width: 160 });

Object.assign(window, {
  handles: {
    strokes: () => canvas.getObjects().length,
    export: async (): Promise<number> => {
      const whole = canvas.toCanvasElement(1 / zoom, { width: size * zoom, height: size * zoom });
      const file = await new Promise<Blob | null>((done) => whole.toBlob(done, 'image/png'));
      return file?.size ?? 0;
    },
  },
});
