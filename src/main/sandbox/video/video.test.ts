import { BufferSource, Input, MP4 } from 'mediabunny';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandboxHarness, refusalOf, type SandboxHarness, until } from '../testHarness.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

interface Operation {
  name: string;
  done: boolean;
  error?: { message: string };
  metadata: { progressPercent: number };
  response?: {
    generateVideoResponse: {
      generatedSamples: { video: { uri: string; mimeType: string }; seed: number }[];
      raiMediaFilteredCount?: number;
      raiMediaFilteredReasons?: string[];
    };
  };
}

const order = (prompt: string, options?: object, model = 'video-standard') => ({
  model,
  messages: [{ role: 'user', content: prompt }],
  ...(options && { extra_body: { sandbox: options } }),
});

const submit = async (harness: SandboxHarness, body: object): Promise<Operation> =>
  (await (await harness.send('POST', '/v1/chat/completions', body)).json()) as Operation;

const finished = (harness: SandboxHarness, name: string) =>
  until(
    async () => (await (await harness.send('GET', `/v1/${name}`)).json()) as Operation,
    (operation) => operation.done,
  );

describe('a video', () => {
  let harness: SandboxHarness;
  let made: Operation;
  beforeAll(async () => {
    harness = await openSandboxHarness();
    const started = await harness.openai.chat.completions.create(
      order('a lamp in the rain', { config: { durationSeconds: 4, seed: 7 } }) as never,
    );
    made = await finished(harness, (started as unknown as Operation).name);
  });
  afterAll(() => harness.sandbox.close());
  const uri = () => made.response?.generateVideoResponse.generatedSamples[0]?.video.uri ?? '';

  it('is a real MP4 of 720 lines and the requested length', async () => {
    const bytes = new Uint8Array(await (await fetch(uri())).arrayBuffer());
    const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
    const track = await input.getPrimaryVideoTrack();
    expect([track?.displayWidth, track?.displayHeight]).toEqual([1280, 720]);
    expect(Math.abs((await input.computeDuration()) - 4)).toBeLessThan(0.3);
  });

  it('is billed by the second under the name of its operation', () => {
    const [entry] = harness.sandbox.bill().entries;
    expect(entry).toMatchObject({
      id: made.name,
      kind: 'video',
      model: 'video-standard',
      prompt: 'a lamp in the rain',
      nano: 1_600_000_000,
    });
  });

  it('is served in ranges, by entity tag and by HEAD, without a key', async () => {
    const head = await fetch(uri(), { method: 'HEAD' });
    const size = Number(head.headers.get('content-length'));
    expect(head.headers.get('x-expires')).toBeTruthy();
    const part = await fetch(uri(), { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${size}`,
      'ftyp',
    ]);
    expect((await fetch(uri(), { headers: { range: 'bytes=-16' } })).headers.get('content-length')).toBe('16');
    expect((await fetch(uri(), { headers: { range: `bytes=${size}-` } })).status).toBe(416);
    expect((await fetch(uri(), { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })).status).toBe(304);
    expect((await fetch(uri().replace(/[0-9a-f]{32}/, '0'.repeat(32)))).status).toBe(404);
  });

  it('can be extended by its address on any host, with the same model only', async () => {
    const moved = uri().replace(/\/\/[^/]+/, '//127.0.0.1:1');
    const other = await harness.send(
      'POST',
      '/v1/chat/completions',
      order('on', { video: { uri: moved } }, 'video-pro'),
    );
    expect(await refusalOf(other)).toMatchObject({ status: 400, code: 'model_mismatch', param: 'video.uri' });
    const extended = await submit(
      harness,
      order('it goes on', { video: { uri: moved }, config: { durationSeconds: 7, sampleCount: 1 } }),
    );
    expect(extended.done).toBe(false);
    expect(harness.sandbox.bill().entries.at(-1)?.nano).toBe(2_800_000_000);
  });

  it('reports growing progress, and 404 for an operation it does not know', async () => {
    expect(made.metadata.progressPercent).toBe(100);
    expect((await harness.send('GET', '/v1/operations/nothing')).status).toBe(404);
    expect((await harness.send('GET', `/v1/operations/${encodeURIComponent(made.name)}`)).status).toBe(200);
  });
});

describe('the rules of spec 2.2, 2.3 and 8', () => {
  let harness: SandboxHarness;
  beforeAll(async () => {
    harness = await openSandboxHarness({ faults: [{ action: { kind: 'failure' } }] });
  });
  afterAll(() => harness.sandbox.close());
  const image = { bytesBase64Encoded: PNG, mimeType: 'image/png' };
  const reference = { image, referenceType: 'asset' };

  it.each<[string, object, string]>([
    ['5 seconds', { config: { durationSeconds: 5 } }, 'config.durationSeconds'],
    ['7 seconds without a video', { config: { durationSeconds: 7 } }, 'config.durationSeconds'],
    ['480 lines', { config: { resolution: '480p' } }, 'config.resolution'],
    ['30 frames a second', { config: { fps: 30 } }, 'config.fps'],
    ['another aspect', { config: { aspectRatio: '4:3' } }, 'config.aspectRatio'],
    ['audio as text', { config: { generateAudio: 'yes' } }, 'config.generateAudio'],
    ['no samples', { config: { sampleCount: 0 } }, 'config.sampleCount'],
    ['five samples', { sampleCount: 5 }, 'sampleCount'],
    ['five videos', { config: { numberOfVideos: 5 } }, 'config.numberOfVideos'],
    ['a seed of 33 bits', { config: { seed: 4_294_967_296 } }, 'config.seed'],
    ['a negative seed', { seed: -1 }, 'seed'],
    ['two different seeds', { seed: 1, config: { seed: 2 } }, 'seed'],
    ['a field in both spellings', { config: { durationSeconds: 4, duration_seconds: 4 } }, 'config.duration_seconds'],
    ['no references', { referenceImages: [] }, 'referenceImages'],
    ['four references', { referenceImages: [reference, reference, reference, reference] }, 'referenceImages'],
    ['a style reference', { referenceImages: [{ image, referenceType: 'style' }] }, 'referenceImages[0].referenceType'],
    ['a last frame alone', { lastFrame: image }, 'lastFrame'],
    ['references and a first frame', { image, referenceImages: [reference] }, 'referenceImages'],
    ['a video and a first frame', { image, video: { uri: 'x' } }, 'video'],
    ['a picture that is none', { image: { bytesBase64Encoded: 'AAAA' } }, 'image'],
    ['a picture elsewhere', { image: { uri: 'https://example.com/a.png' } }, 'image.uri'],
    ['an unknown field', { config: { lens: '35mm' } }, 'config'],
  ])('refuse %s, naming the field', async (_, options, field) => {
    const refusal = await refusalOf(await harness.send('POST', '/v1/chat/completions', order('night', options)));
    expect(refusal).toMatchObject({ status: 400, param: `extra_body.sandbox.${field}` });
    expect(harness.sandbox.bill().entries).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no prompt', { model: 'video-standard', messages: [{ role: 'user', content: ' ' }] }, 'messages'],
    ['an unknown vendor', { ...order('night'), extra_body: { acme: {} } }, 'extra_body.acme'],
    ['a video that is not its own', order('night', { video: { uri: 'http://127.0.0.1/media/x.mp4' } }), 'video.uri'],
  ])('refuse %s', async (_, body, field) => {
    expect(await refusalOf(await harness.send('POST', '/v1/chat/completions', body))).toMatchObject({
      status: 400,
      param: field,
    });
  });

  it('take both spellings, the vendor at top level, options beside config, and a data URI', async () => {
    const uri = `data:image/png;base64,${PNG}`;
    const snake = {
      config: { duration_seconds: 6, aspect_ratio: '9:16' },
      sample_count: 2,
      seed: 4_294_967_295,
      reference_images: [{ image: { uri }, reference_type: 'asset' }],
    };
    for (const body of [
      order('night', snake),
      { ...order('night'), sandbox: { image: { uri }, last_frame: { image: { content: PNG } } } },
    ]) {
      expect((await harness.send('POST', '/v1/chat/completions', body)).status).toBe(200);
    }
  });

  it('fail an operation without billing it', async () => {
    const started = await submit(harness, order('night'));
    expect((await finished(harness, started.name)).error?.message).toContain('could not generate');
    expect(harness.sandbox.bill().totalNano).toBe(0);
  });
});

describe('the filter', () => {
  it('accepts a forbidden prompt: done, no clip, a reason, nothing billed', async () => {
    const harness = await openSandboxHarness();
    const started = await submit(harness, order('a forbidden dance', { config: { sampleCount: 2 } }));
    const { response } = await finished(harness, started.name);
    expect(response?.generateVideoResponse).toMatchObject({ generatedSamples: [], raiMediaFilteredCount: 2 });
    expect(response?.generateVideoResponse.raiMediaFilteredReasons?.[0]).toContain('not been charged');
    expect(harness.sandbox.bill().entries).toEqual([]);
    await harness.sandbox.close();
  });

  it('bills only the clips it lets through', async () => {
    const harness = await openSandboxHarness({
      faults: [{ match: { endpoint: 'video' }, action: { kind: 'filtered', samples: 3 } }],
    });
    await submit(harness, order('night', { config: { sampleCount: 4, durationSeconds: 4 } }, 'video-pro'));
    expect(harness.sandbox.bill().totalNano).toBe(8_000_000_000);
    await harness.sandbox.close();
  });
});

describe('the gateway at its limits', () => {
  it('accepts ten video requests a minute, then says when to retry', async () => {
    let now = Date.UTC(2026, 0, 1);
    const harness = await openSandboxHarness({
      speed: 1,
      now: () => now,
      faults: [{ match: { endpoint: 'video' }, action: { kind: 'failure' } }],
    });
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await harness.send('POST', '/v1/chat/completions', order('night'))).status).toBe(200);
      now += 1_000;
    }
    const refused = await harness.send('POST', '/v1/chat/completions', order('night'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '50']);
    await expect(harness.openai.chat.completions.create(order('night') as never)).rejects.toThrow(
      OpenAI.RateLimitError,
    );
    now += 50_001;
    expect((await harness.send('POST', '/v1/chat/completions', order('night'))).status).toBe(200);
    await harness.sandbox.close();
  });

  it('answers with the finished clip if configured to, once per key', async () => {
    const harness = await openSandboxHarness({ videoAnswer: 'immediate' });
    const body = order('salt flat', { config: { durationSeconds: 4, seed: 1 } });
    const post = async () =>
      (await (await harness.send('POST', '/v1/chat/completions', body, { 'idempotency-key': 'one' })).json()) as never;
    const [first, second] = await Promise.all([post(), post()]);
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      choices: [
        {
          finish_reason: 'stop',
          message: { video: { uri: expect.stringContaining('/media/'), mimeType: 'video/mp4' } },
        },
      ],
    });
    expect(harness.sandbox.bill().entries.map(({ id }) => id)).toEqual([(first as { id: string }).id]);
    await harness.sandbox.close();
  });

  it('lets links expire', async () => {
    let now = Date.UTC(2026, 0, 1);
    const harness = await openSandboxHarness({ now: () => now });
    const started = await submit(harness, order('salt flat', { config: { durationSeconds: 4 } }));
    const { response } = await finished(harness, started.name);
    const uri = response?.generateVideoResponse.generatedSamples[0]?.video.uri ?? '';
    expect((await fetch(uri, { method: 'HEAD' })).status).toBe(200);
    now += 48 * 3600 * 1000 + 1;
    expect((await fetch(uri)).status).toBe(410);
    const late = await harness.send('POST', '/v1/chat/completions', order('on', { video: { uri } }));
    expect(await refusalOf(late)).toMatchObject({ status: 400, code: 'expired' });
    await harness.sandbox.close();
  });
});
