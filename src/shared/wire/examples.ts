import type { Profile } from '../profile.ts';
import { trimmedEnd } from '../trimmed.ts';
import { CHAT_PATH } from './chat.ts';
import { bearerHeader, type Headers, IDEMPOTENCY_HEADER, imageAuth } from './headers.ts';
import { editBody, imageSubmitPath, imagineBody } from './image.ts';
import { spelled, videoBody } from './video.ts';

/** Example orders as they would go over the wire in a profile's dialect, with marks in place of what is secret or long. */

export type WireProfile = Pick<
  Profile,
  'imagePrefix' | 'vendor' | 'imageAuthHeaders' | 'fieldCase' | 'seedPlacement' | 'webhookBase'
> & { hasBotToken: boolean; extraHeaders?: Readonly<Record<string, string | null>> };

export interface WireExample {
  label: string;
  request(profile: WireProfile): { path: string; headers: Headers; body: Record<string, unknown> };
  /** Words in it that come from the dialect. */
  marks(profile: WireProfile): string[];
}

const KEY = 'sk-••••';

const video: WireExample = {
  label: 'Video',
  request: (profile) => ({
    path: CHAT_PATH,
    headers: { ...bearerHeader(KEY), [IDEMPOTENCY_HEADER]: '…' },
    body: videoBody(
      {
        model: 'video-standard',
        prompt: 'A woman in a wool…',
        image: '…',
        lastFrame: '…',
        config: {
          resolution: '1080p',
          durationSeconds: 6,
          aspectRatio: '16:9',
          generateAudio: true,
          sampleCount: 1,
          seed: 2_841_172,
        },
      },
      profile,
    ).body,
  }),
  marks: (profile) => [profile.vendor, spelled('lastFrame', profile), spelled('sampleCount', profile), 'seed'],
};

const hookBase = ({ webhookBase }: WireProfile): string => trimmedEnd(webhookBase ?? 'http://127.0.0.1:…', '/');
const hookUrl = (profile: WireProfile): string => `${hookBase(profile)}/hooks/…`;
const keyHeader = ({ imageAuthHeaders: [first = 'X-API-Key'] }: WireProfile): string => first;

function imageRequest(profile: WireProfile, what: 'imagine' | 'edits', body: Record<string, unknown>) {
  const botToken = profile.hasBotToken ? '••••' : undefined;
  const { headers } = imageAuth(keyHeader(profile), { apiKey: KEY, botToken });
  return { path: imageSubmitPath(profile.imagePrefix, what), headers: { ...headers, [IDEMPOTENCY_HEADER]: '…' }, body };
}

const imageMarks = (profile: WireProfile): string[] => [
  `/${profile.imagePrefix}`,
  keyHeader(profile),
  hookBase(profile),
];

const image: WireExample = {
  label: 'Image',
  request(profile) {
    const order = { prompt: 'Harbour in rain --v 7 --ar 16:9', mode: 'fast' as const, hookUrl: hookUrl(profile) };
    return imageRequest(profile, 'imagine', imagineBody(order));
  },
  marks: imageMarks,
};

const edit: WireExample = {
  label: 'Edit',
  request(profile) {
    const order = { baseTaskId: '…', mask: 'iVBORw0KGgo…', prompt: 'An old bicycle…', timeout: 300 };
    return imageRequest(profile, 'edits', editBody({ ...order, hookUrl: hookUrl(profile) }, 'mask'));
  },
  marks: imageMarks,
};

export const WIRE_EXAMPLES = { video, image, edit } as const;
export type WireExampleName = keyof typeof WIRE_EXAMPLES;
