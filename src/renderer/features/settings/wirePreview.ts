import type { Profile } from '../../../shared/profile.ts';
import { trimmedEnd } from '../../../shared/trimmed.ts';

/** What would go over the wire for an example order, in a profile's dialect (spec 2.2–2.6, 4.1–4.4, 5). */
export interface WirePreview {
  path: string;
  headers: string[];
  body: Record<string, unknown>;
  /** Words that come from the dialect, to be marked. */
  marks: string[];
}

export const WIRE_KINDS = ['video', 'image', 'edit'] as const;
export type WireKind = (typeof WIRE_KINDS)[number];

export type WireProfile = Pick<
  Profile,
  'imagePrefix' | 'vendor' | 'imageAuthHeaders' | 'fieldCase' | 'seedPlacement' | 'webhookBase'
> & { hasBotToken: boolean; extraHeaders?: Readonly<Record<string, string | null>> };

const SEED = 2_841_172;

export function wirePreview(profile: WireProfile, kind: WireKind): WirePreview {
  const preview = kind === 'video' ? videoPreview(profile) : imagePreview(profile, kind);
  const extra = Object.keys(profile.extraHeaders ?? {});
  const headers = [...preview.headers, ...extra.map((name) => `${name}: ••••`)];
  return { ...preview, headers, marks: [...preview.marks, ...extra] };
}

function videoPreview({ vendor, fieldCase, seedPlacement }: WireProfile): WirePreview {
  const spell = (name: string) =>
    fieldCase === 'snake' ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
  const draws = { [spell('sampleCount')]: 1, seed: SEED };
  const config = {
    resolution: '1080p',
    [spell('durationSeconds')]: 6,
    [spell('aspectRatio')]: '16:9',
    [spell('generateAudio')]: true,
    ...(seedPlacement === 'config' ? draws : {}),
  };
  const options = {
    image: { uri: '…' },
    [spell('lastFrame')]: { uri: '…' },
    config,
    ...(seedPlacement === 'beside' ? draws : {}),
  };
  return {
    path: '/v1/chat/completions',
    headers: ['Authorization: Bearer sk-••••', 'Idempotency-Key: …'],
    body: {
      model: 'video-standard',
      messages: [{ role: 'user', content: 'A woman in a wool…' }],
      extra_body: { [vendor]: options },
    },
    marks: [vendor, spell('lastFrame'), spell('sampleCount'), 'seed'],
  };
}

function imagePreview(profile: WireProfile, kind: 'image' | 'edit'): WirePreview {
  const { imagePrefix, imageAuthHeaders, webhookBase, hasBotToken } = profile;
  const [header = 'X-API-Key'] = imageAuthHeaders;
  const own = header.toLowerCase() === 'authorization';
  const base = trimmedEnd(webhookBase ?? 'http://127.0.0.1:…', '/');
  const hookUrl = `${base}/hooks/…`;
  const what = { prompt: 'Harbour in rain --v 7 --ar 16:9', mode: 'fast', hookUrl };
  const edit = { jobId: '…', mask: 'iVBORw0KGgo…', prompt: 'An old bicycle…', timeout: 300, hookUrl };
  return {
    path: `/${imagePrefix}/submit/${kind === 'edit' ? 'edits' : 'imagine'}`,
    headers: [
      `${header}: ${own ? 'Bearer ' : ''}sk-••••`,
      ...(hasBotToken && !own ? ['Authorization: Bot ••••'] : []),
      'Idempotency-Key: …',
    ],
    body: kind === 'edit' ? edit : what,
    marks: [`/${imagePrefix}`, header, base],
  };
}

export interface Piece {
  text: string;
  marked: boolean;
}

/** A text cut at the words that are to be marked. */
export function markedPieces(text: string, marks: readonly string[]): Piece[] {
  const words = marks.filter((mark) => mark !== '').map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ text, marked: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`))
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, marked: marks.includes(piece) }));
}
