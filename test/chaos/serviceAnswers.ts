import { testPng } from '../helpers/png.ts';
import type { Api } from './matrix.ts';

/** The answers and the bill of a healthy gateway. */

/** A playable MP4: four grey seconds of 16 × 16, as long as requested. */
const CLIP = Buffer.from(
  'AAAAHGZ0eXBpc29tAAACAGlzb21hdmMxbXA0MQAAAottb292AAAAbG12aGQAAAAA5yfcsecn3LEAAOEAAAOEAAABAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACF3RyYWsAAABcdGtoZAAAAAPnJ9yx5yfcsQAAAAEAAAAAAAOEAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAEAAAABAAAAAAAbNtZGlhAAAAIG1kaGQAAAAA5yfcsecn3LEAAOEAAAOEAFXEAAAAAAA3aGRscgAAAABtaGxydmlkZQAAAAAAAAAAAAAAAE1lZGlhYnVubnlWaWRlb0hhbmRsZXIAAAABVG1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAARRzdGJsAAAArHN0c2QAAAAAAAAAAQAAAJxhdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABEk1lZGlhYnVubnkgdjEuNjEuMAAAAAAAAAAAAAAAAAAAGP//AAAAH2F2Y0MBQgAK/+EAB2dCAAqmnkABAAVozgOcgAAAABNjb2xybmNseAACAAIAAgAAAAAUYnRydAAAAAAAAABIAAAAEgAAABhzdHRzAAAAAAAAAAEAAAABAAOEAAAAABxzdHNjAAAAAAAAAAEAAAABAAAAAQAAAAEAAAAYc3RzegAAAAAAAAAAAAAAAQAAAAkAAAAUc3RjbwAAAAAAAAABAAACrwAAABFtZGF0AAAABWW4EeTw',
  'base64',
);

export const MEDIA: Record<Exclude<Api, 'chat'>, { path: string; type: string; bytes: Buffer }> = {
  video: { path: '/media/clip.mp4', type: 'video/mp4', bytes: CLIP },
  images: { path: '/media/picture.png', type: 'image/png', bytes: testPng(8, 8) },
};

export const TASK_ID = { video: 'video_7Q2', images: '17300000000000000042' } as const;

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const delta = (content: string) => ({ id: 'chatcmpl-19', choices: [{ index: 0, delta: { content } }] });
const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };

/** The answer to a request, in pieces. The first contains the gateway's id and is complete by itself. */
export const SUBMIT_ANSWER: Record<Api, readonly [string, ...string[]]> = {
  chat: [
    event(delta('Good ')),
    event(delta('morning.')),
    event({ id: 'chatcmpl-19', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE }),
    'data: [DONE]\n\n',
  ],
  video: [JSON.stringify({ id: TASK_ID.video, object: 'video', status: 'queued', progress: 0 })],
  images: [JSON.stringify({ code: 1, description: 'submitted', result: TASK_ID.images })],
};

/** Accepted work is billed, whether or not its answer arrives. */
export const BILL_NANO: Record<Api, number> = {
  // $0.27 and $1.08 a million tokens, the higher listing.
  chat: 12 * 270 + 5 * 1_080,
  // $0.40 a second, the higher interpretation, × 4 s.
  video: 1_600_000_000,
  images: 40_000_000,
};

/** The state of the task at a given poll of a healthy gateway: running twice, then done. */
export function pollAnswer(api: Exclude<Api, 'chat'>, base: string, count: number): object {
  const url = base + MEDIA[api].path;
  if (api === 'video') {
    const task = { id: TASK_ID.video, object: 'video' };
    return count <= 2
      ? { ...task, status: 'in_progress', progress: count * 30 }
      : { ...task, status: 'completed', progress: 100, video: { url } };
  }
  const task = { id: TASK_ID.images, action: 'IMAGINE' };
  return count <= 2
    ? { ...task, status: 'IN_PROGRESS', progress: `${count * 30}%` }
    : { ...task, status: 'SUCCESS', progress: '100%', imageUrl: url };
}
