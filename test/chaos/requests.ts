import type { ProfileInput } from '../../src/shared/gateway/profile.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Api } from './matrix.ts';

/** The request that every cell of an API sends. */
export const REQUESTS: Record<Api, StudioRequest> = {
  chat: { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say good morning.' }], stream: true },
  video: { kind: 'video', model: 'video-standard', prompt: 'A quay at night', config: { durationSeconds: 4 } },
  images: { kind: 'imagine', prompt: 'A quay at night', mode: 'fast' },
};

/** The specification has no price for pictures (spec 8); without one their unconfirmed costs would be zero. */
export const IMAGE_PRICE: NonNullable<ProfileInput['prices']>[number] = {
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: 40_000_000 }],
  settledReading: 0,
};
