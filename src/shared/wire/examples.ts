import { firstKeyHeader, webhookBaseOf } from '../gateway/dialect.ts';
import type { Profile } from '../gateway/profile.ts';
import { t } from '../text/texts.ts';
import { imageFamily } from './families/index.ts';
import { bearerHeader, type Headers, IDEMPOTENCY_HEADER, imageAuth } from './headers.ts';
import { editBody, imageSubmitPath, imagineBody } from './image.ts';
import { type Protocols, protocolsOf } from './protocols.ts';
import { videoWire } from './video.ts';

/** Example requests in a profile's dialect, with placeholders for secret or long values. */

export type WireProfile = Pick<
  Profile,
  'imagePrefix' | 'vendor' | 'imageAuthHeaders' | 'fieldCase' | 'seedPlacement' | 'webhookBase'
> & {
  models?: Profile['models'];
  samplePlacement?: Profile['samplePlacement'];
  protocols?: Protocols;
  spoken?: Protocols | undefined;
  hasBotToken: boolean;
  extraHeaders?: Readonly<Record<string, string | null>>;
};

export interface WireExample {
  label: string;
  request(profile: WireProfile): { path: string; headers: Headers; body: Record<string, unknown> };
}

const KEY = 'sk-••••';

const video: WireExample = {
  label: t`Video`,
  request: (profile) => ({
    headers: { ...bearerHeader(KEY), [IDEMPOTENCY_HEADER]: '…' },
    ...videoWire(
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
    ),
  }),
};

const hookUrl = (profile: WireProfile): string => `${webhookBaseOf(profile)}/hooks/…`;

function imageRequest(profile: WireProfile, what: 'imagine' | 'edits', body: Record<string, unknown>) {
  const botToken = profile.hasBotToken ? '••••' : undefined;
  const { headers } = imageAuth(firstKeyHeader(profile), { apiKey: KEY, botToken });
  return { path: imageSubmitPath(profile.imagePrefix, what), headers: { ...headers, [IDEMPOTENCY_HEADER]: '…' }, body };
}

const image: WireExample = {
  label: t`Image`,
  request(profile) {
    const family = imageFamily(protocolsOf(profile).image);
    if (family) {
      const body = family.imagine({ model: '…', prompt: 'Harbour in rain' });
      return { path: family.path, headers: { ...bearerHeader(KEY), [IDEMPOTENCY_HEADER]: '…' }, body };
    }
    const form = { prompt: 'Harbour in rain --v 7 --ar 16:9', mode: 'fast' as const, hookUrl: hookUrl(profile) };
    return imageRequest(profile, 'imagine', imagineBody(form));
  },
};

const edit: WireExample = {
  label: t`Edit`,
  request(profile) {
    const family = imageFamily(protocolsOf(profile).image);
    if (family?.edit) {
      const body = { ...family.imagine({ model: '…', prompt: 'An old bicycle…' }), image: '<file>', mask: '<file>' };
      return { path: family.edit.path, headers: { ...bearerHeader(KEY), [IDEMPOTENCY_HEADER]: '…' }, body };
    }
    const form = { baseTaskId: '…', mask: 'iVBORw0KGgo…', prompt: 'An old bicycle…', timeout: 300 };
    return imageRequest(profile, 'edits', editBody({ ...form, hookUrl: hookUrl(profile) }, 'mask'));
  },
};

export const WIRE_EXAMPLES = { video, image, edit } as const;
export type WireExampleName = keyof typeof WIRE_EXAMPLES;
