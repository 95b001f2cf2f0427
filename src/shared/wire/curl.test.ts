import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { StudioRequest } from '../kinds/index.ts';
import { type CurlProfile, curlOf } from './curl.ts';

const PROFILE: CurlProfile = {
  baseUrl: 'https://gateway.example/base',
  imagePrefix: 'mj',
  vendor: 'acme',
  imageAuthHeaders: ['X-API-Key'],
  fieldCase: 'camel',
  seedPlacement: 'config',
  hasBotToken: true,
  extraHeaders: { 'x-org`$(touch /tmp/never)': null },
};

/** The words as a shell reads them, with sample secrets. */
function wordsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const env = { DAILIES_API_KEY: 'sk-shell', DAILIES_BOT_TOKEN: 'bot-shell', PATH: process.env.PATH ?? '' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

const bodyOf = (words: readonly string[]) => JSON.parse(words[words.indexOf('--data-raw') + 1] ?? '');
const headersOf = (words: readonly string[]) => words.filter((_, index) => words[index - 1] === '-H');

const NASTY = `it's "a" $(touch /tmp/never) \`quay\` \\ ! \n 雪山 \u202e turned\u0007`;

test('a shell reads the words of a request as they are, and the key from its own variable', () => {
  const line = curlOf({ kind: 'imagine', prompt: NASTY, mode: 'relax' }, PROFILE) ?? '';
  expect(line).not.toContain('sk-');
  // What is pasted has no control character and nothing that changes the text direction.
  expect([...line].every((letter) => letter === '\n' || (letter >= ' ' && letter <= '~'))).toBe(true);
  const words = wordsOf(line);
  expect(words).toContain('https://gateway.example/base/mj/submit/imagine');
  expect(bodyOf(words)).toEqual({
    prompt: NASTY,
    mode: 'relax',
    hookUrl: expect.stringContaining('/hooks/<job>/<secret>'),
  });
  expect(headersOf(words)).toEqual(
    expect.arrayContaining(['X-API-Key: sk-shell', 'authorization: Bot bot-shell', 'content-type: application/json']),
  );
});

test('media of this machine go by a name, and an address without what opens it', () => {
  const request: StudioRequest = {
    kind: 'video',
    model: 'm',
    prompt: 'As in https://bucket.example/b.png?sig=S3CR3T',
    image: { uri: 'https://user:S3CR3T@bucket.example/a.png?X-Amz-Signature=S3CR3T#S3CR3T' },
    lastFrame: { assetId: 'as_1' },
    referenceImages: [{ jobId: 'job_1', output: 1 }],
    config: { durationSeconds: 8, seed: 7 },
  };
  const line = curlOf(request, { ...PROFILE, fieldCase: 'snake', seedPlacement: 'beside' }) ?? '';
  expect(line).not.toContain('S3CR3T');
  const words = wordsOf(line);
  expect(words).toContain('https://gateway.example/base/v1/chat/completions');
  expect(headersOf(words)).toContain('authorization: Bearer sk-shell');
  expect(bodyOf(words)).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'As in https://bucket.example/b.png' }],
    extra_body: {
      acme: {
        image: { uri: 'https://bucket.example/a.png' },
        last_frame: { uri: '<as_1 as a data: address>' },
        reference_images: [{ image: { uri: '<result 2 of job_1 as a data: address>' }, reference_type: 'asset' }],
        config: { duration_seconds: 8 },
        seed: 7,
      },
    },
  });
});

test.each<[StudioRequest, string, object]>([
  [
    { kind: 'chat', model: 'l', messages: [{ role: 'user', content: 'Hi' }] },
    '/v1/chat/completions',
    { model: 'l', messages: [{ role: 'user', content: 'Hi' }], stream: true, stream_options: { include_usage: true } },
  ],
  [
    { kind: 'edit', base: { assetId: 'as_1' }, mask: { assetId: 'as_2' }, prompt: 'A bicycle' },
    '/mj/submit/edits',
    { jobId: '<the task that made as_1>', mask: '<as_2 as base64>', prompt: 'A bicycle' },
  ],
])('every kind has its form: %j', (request, path, body) => {
  const words = wordsOf(curlOf(request, PROFILE) ?? '');
  expect(words.some((word) => word.endsWith(path))).toBe(true);
  expect(bodyOf(words)).toMatchObject(body);
});
