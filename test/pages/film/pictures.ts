import { encodeMaskPng } from '../../../src/renderer/canvas/png.ts';
import { rasterise } from '../../../src/renderer/canvas/rasterise.ts';
import type { Job } from '../../../src/shared/job.ts';
import { job, NOW, still } from '../data.ts';

/** Pictures of the film, and one edit whose service moved pixels outside the mask too. */

const sizeOf = (name: string) =>
  name.endsWith('-l') || name === 'edited' ? { width: 1280, height: 720 } : { width: 480, height: 270 };
const PROMPT = 'Night ferry quay in rain, sodium lamps, a lone figure --v 7 --ar 16:9 --q 2 --tile';

export const pictureJobs = (): Job[] => {
  const made = (id: string, prompt: string, stills: string[], more: Partial<Job> = {}) =>
    job({
      id,
      state: 'succeeded',
      dollars: [0.05],
      request: { kind: 'imagine', prompt, mode: 'fast' },
      outputs: stills.map((name) => still(name, { ...sizeOf(name), bytes: 1_400_000 })),
      finishedAt: NOW - 3_600_000,
      ...more,
    });
  return [
    made('job_p4', 'Lighthouse in fog, long exposure --ar 16:9', ['lighthouse']),
    made('job_p3', 'Storm over the breakwater --v 7', ['storm']),
    made('job_p2', 'Wake behind the ferry, from above --v 7 --ar 16:9', ['wake', 'wake2', 'sea']),
    made('job_p1', PROMPT, ['s1b-l', 's1a', 's1c', 's1d']),
    job({
      id: 'job_edit',
      state: 'succeeded',
      dollars: [0.05],
      request: { kind: 'edit', base: { assetId: 's1b-l' }, mask: { assetId: 'mask_1' }, prompt: 'A wet bicycle' },
      outputs: [still('edited', { ...sizeOf('edited'), bytes: 1_300_000, name: 'A wet bicycle' })],
      finishedAt: NOW - 1_800_000,
    }),
    job({
      id: 'job_p5',
      state: 'running',
      progress: 40,
      dollars: [0.05],
      request: { kind: 'imagine', prompt: 'Poster' },
    }),
  ];
};

/** The edited picture and its mask, as object URLs by asset id. */
export async function editOfPlate(): Promise<[id: string, url: string][]> {
  const bitmap = await createImageBitmap(await (await fetch('/stills/s1b-l.webp')).blob());
  const mask = rasterise({
    width: bitmap.width,
    height: bitmap.height,
    strokes: [{ kind: 'ellipse', op: 'add', x: bitmap.width * 0.1, y: bitmap.height * 0.45, width: 300, height: 220 }],
  });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) return [];
  context.drawImage(bitmap, 0, 0);
  context.fillStyle = '#7a5a2e';
  context.fillRect(bitmap.width * 0.14, bitmap.height * 0.5, 180, 120);
  context.fillStyle = 'rgb(255 180 90 / 12%)';
  context.beginPath();
  context.arc(bitmap.width * 0.2, bitmap.height * 0.58, 260, 0, Math.PI * 2);
  context.fill();
  return [
    ['edited', URL.createObjectURL(await canvas.convertToBlob())],
    ['mask_1', URL.createObjectURL(new Blob([await encodeMaskPng(mask)], { type: 'image/png' }))],
  ];
}
