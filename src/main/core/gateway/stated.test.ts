import { expect, test } from 'vitest';
import { clientOf, SEND } from '../../../../test/helpers/gateway/client.ts';
import { reply } from '../../../../test/helpers/gateway/rawServer.ts';
import { serversOfThisFile } from '../../../../test/helpers/gateway/serversOfThisFile.ts';

const serve = serversOfThisFile();

const answers = (body: object | string, headers: Record<string, string> = {}) =>
  serve((_request, socket) => socket.write(reply(200, body, headers)));
const messages = [{ role: 'user' as const, content: 'Hi' }];
const order = { model: 'video-standard', prompt: 'a quay', config: {} };

test('a chat answer states its cost in its usage', async () => {
  const server = await answers({
    id: 'gen-1',
    choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, cost: 0.0012 },
  });
  const outcome = await clientOf(server.url).gateway.chat({ model: 'm', messages, stream: false }, SEND, () => {});
  expect(outcome).toMatchObject({ stated: { by: 'usage.cost', as: '0.0012 USD', nano: 1_200_000 } });
});

test('a stream states it in its last chunk, and a header of the gateway counts as well', async () => {
  const pieces = [
    { choices: [{ index: 0, delta: { content: 'Hello' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, cost: 0.0012 } },
  ];
  const body = `${pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')}data: [DONE]\n\n`;
  const order = { model: 'm', messages, stream: true };
  const inPiece = await answers(body, { 'content-type': 'text/event-stream' });
  expect(await clientOf(inPiece.url).gateway.chat(order, SEND, () => {})).toMatchObject({
    stated: { by: 'usage.cost', nano: 1_200_000 },
  });
  const inHeader = await answers(body, {
    'content-type': 'text/event-stream',
    'X-LiteLLM-Response-Cost': '0.01',
  });
  expect(await clientOf(inHeader.url).gateway.chat(order, SEND, () => {})).toMatchObject({
    stated: { by: 'x-litellm-response-cost', nano: 10_000_000 },
  });
});

test('an answer that states nothing has no cost, which is not a cost of zero', async () => {
  const server = await answers({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });
  const outcome = await clientOf(server.url).gateway.chat({ model: 'm', messages, stream: false }, SEND, () => {});
  expect(outcome).not.toHaveProperty('stated');
});

test('a clip states its cost at the submit and at the last poll', async () => {
  const made = { video: { uri: 'https://cdn.example/a.mp4' }, usage: { cost: 0.8 } };
  const server = await serve((request, socket) =>
    socket.write(
      request.method === 'POST'
        ? reply(200, { id: 'video_1', object: 'video', status: 'queued', credits_cost: 40 })
        : reply(200, { id: 'video_1', object: 'video', status: 'completed', ...made }),
    ),
  );
  const { gateway } = clientOf(server.url);
  const submitted = await gateway.submitVideo(order, SEND);
  expect(submitted).toMatchObject({ type: 'accepted', stated: { by: 'creditsCost', as: '40 credits' } });
  if (submitted.type !== 'accepted') return;
  expect(await gateway.poll(submitted.task)).toMatchObject({
    type: 'done',
    stated: { by: 'usage.cost', nano: 800_000_000 },
  });
});

test('a picture states its cost when its task has finished', async () => {
  const server = await serve((request, socket) =>
    socket.write(
      request.path.includes('submit')
        ? reply(200, { code: 1, result: '17300000000000000042' })
        : reply(
            200,
            { id: '17300000000000000042', status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/a.png' },
            { 'X-Comfy-Credits-Used': '12' },
          ),
    ),
  );
  const { gateway } = clientOf(server.url);
  const submitted = await gateway.submitImagine({ prompt: 'a hill', mode: 'fast' }, SEND);
  expect(submitted).toMatchObject({ type: 'accepted' });
  expect(submitted).not.toHaveProperty('stated');
  if (submitted.type !== 'accepted') return;
  expect(await gateway.poll(submitted.task)).toMatchObject({
    type: 'done',
    stated: { by: 'x-comfy-credits-used', as: '12 credits' },
  });
});

test('the record of a generation states its cost, on the profile’s own host and for that id only', async () => {
  const id = 'gen-3bhGkxlo4XFrqiabUM7NDtwDzWwG';
  const record = { id, total_cost: 0.0015, usage: 0.0015, is_byok: false, tokens_prompt: 10 };
  const server = await answers({ data: record });
  const { gateway } = clientOf(server.url);
  expect(await gateway.recordedCost(id)).toEqual({ by: 'totalCost', as: '0.0015 USD', nano: 1_500_000 });
  expect(server.requests[0]).toMatchObject({ method: 'GET', path: `/v1/generation?id=${id}` });
  expect(await gateway.recordedCost('gen-another-one')).toBeUndefined();
  expect(await gateway.recordedCost('chatcmpl-1')).toBeUndefined();
  expect(server.requests).toHaveLength(2);
  const byok = await answers({ data: { ...record, total_cost: 0, is_byok: true } });
  expect(await clientOf(byok.url).gateway.recordedCost(id)).toMatchObject({ nano: 0, part: true });
  const none = await serve((_request, socket) => socket.write(reply(404, { error: { message: 'not found' } })));
  expect(await clientOf(none.url).gateway.recordedCost(id)).toBeUndefined();
});

test('a failure that states a cost in any unit, or says that it has charged, may be billed; any other is unchanged', async () => {
  const failing = async (more: object) => {
    const server = await answers({
      id: 'video_1',
      object: 'video',
      status: 'failed',
      error: { message: 'No.' },
      ...more,
    });
    const task = { id: 'video_1', kind: 'video' as const, acceptedAt: 0 };
    return clientOf(server.url).gateway.poll(task);
  };
  const stated = { by: 'usage.cost', as: '0.4 USD', nano: 400_000_000 };
  expect(await failing({ usage: { cost: 0.4 } })).toMatchObject({ type: 'failed', billed: 'unknown', stated });
  const both = await failing({ usage: { cost: 0.4 }, error: { message: 'You have been charged 5 credits.' } });
  expect(both).toMatchObject({ billed: 'unknown', stated });
  const free = await failing({ usage: { cost: 0 } });
  expect(free).toMatchObject({ type: 'failed', billed: 'no' });
  expect(free).not.toHaveProperty('stated');
  expect(await failing({ credits_cost: 40 })).toMatchObject({ type: 'failed', billed: 'unknown' });
  expect(await failing({ credits_used: '0.0' })).toMatchObject({ type: 'failed', billed: 'no' });
  expect(await failing({ credits_used: -40 })).toMatchObject({ type: 'failed', billed: 'no' });
  expect(await failing({})).toMatchObject({ type: 'failed', billed: 'no' });
  const saying = (message: string) => failing({ error: { message } });
  for (const said of [
    'It failed. You have been charged 5 credits.',
    'Your credits have been deducted.',
    'It failed. 10 credits were deducted.',
    'It failed. 2.0 credits were deducted.',
    'It failed. 1,000 credits were deducted.',
    '生成失败，已扣费',
  ])
    expect(await saying(said), said).toMatchObject({ type: 'failed', billed: 'unknown' });
  for (const said of [
    'You have not been charged.',
    'No credits have been deducted.',
    'No credits were charged.',
    '0 credits were charged.',
    'Zero credits have been consumed.',
    'It failed without credits being lost.',
    'If you were charged, contact us.',
    'You are charged for successful videos only.',
  ])
    expect(await saying(said), said).toMatchObject({ type: 'failed', billed: 'no' });
});

/** xAI charges for a generation that it moderated, and says how much (docs.x.ai, pricing). */
test('a refusal of content that states a cost may be billed; one that states none or nothing is free', async () => {
  const refusing = async (more: object) => {
    const body = {
      code: 'imagine:content-moderated',
      error: 'Generated video rejected by content moderation.',
      ...more,
    };
    const server = await serve((_request, socket) => socket.write(reply(400, body)));
    const { gateway } = clientOf(server.url);
    const outcome = await gateway.submitVideo(order, SEND);
    expect(await gateway.chat({ model: 'm', messages, stream: false }, SEND, () => {})).toEqual(outcome);
    expect(server.requests).toHaveLength(2);
    return outcome;
  };
  const error = { kind: 'moderation', accepted: 'no', retryable: false };
  const stated = { by: 'usage.costInUsdTicks', nano: 350_000_000 };
  expect(await refusing({ usage: { cost_in_usd_ticks: 3_500_000_000 } })).toMatchObject({
    type: 'refused',
    billed: 'unknown',
    stated,
    error,
  });
  for (const more of [{}, { usage: { cost_in_usd_ticks: 0 } }]) {
    const free = await refusing(more);
    expect(free).toMatchObject({ type: 'refused', billed: 'no', error });
    expect(free).not.toHaveProperty('stated');
  }
});

test('a request that failed, or whose answer cannot be read, keeps its stated cost; a definite no has none', async () => {
  const header = { 'X-LiteLLM-Response-Cost': '0.8' };
  const stated = { by: 'x-litellm-response-cost', nano: 800_000_000 };
  const video = async (status: number, body: object | string) => {
    const server = await serve((_request, socket) => socket.write(reply(status, body, header)));
    return clientOf(server.url).gateway.submitVideo(order, SEND);
  };
  expect(await video(500, { error: { message: 'Broken.' } })).toMatchObject({ billed: 'unknown', stated });
  expect(await video(200, '{"id": "video_1", "sta')).toMatchObject({ type: 'unknown', stated });
  expect(await video(400, { error: { message: 'No such size.' } })).not.toHaveProperty('stated');
  const broken = await serve((_request, socket) => socket.write(reply(500, { error: { message: 'Broken.' } }, header)));
  const { gateway } = clientOf(broken.url);
  const chat = await gateway.chat({ model: 'm', messages, stream: false }, SEND, () => {});
  expect(chat).toMatchObject({ type: 'refused', billed: 'unknown', stated });
  const image = await gateway.submitImagine({ prompt: 'a hill', mode: 'fast' }, SEND);
  expect(image).toMatchObject({ type: 'refused', billed: 'unknown', stated });
  const failed = await answers({ id: '178', status: 'FAILURE', failReason: 'Broken.' }, header);
  const task = { id: '178', kind: 'image' as const, acceptedAt: 0 };
  expect(await clientOf(failed.url).gateway.poll(task)).toMatchObject({ type: 'failed', billed: 'unknown', stated });
});
