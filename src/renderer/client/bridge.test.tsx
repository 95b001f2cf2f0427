import { expect, test } from 'vitest';
import type { CallPart } from '../../shared/contract/callParts.ts';
import { bridgeTransport } from './bridge.ts';

function harness(refuseAt = -1) {
  const heard: [name: string, input: unknown][] = [];
  const transport = bridgeTransport({
    call: async (name, input) => {
      heard.push([name, input]);
      if (heard.length - 1 === refuseAt) return { ok: false, error: { code: 'wrong_state', message: 'No.' } };
      return { ok: true, data: heard.length };
    },
    subscribe: () => () => {},
  });
  return { heard, transport };
}

test('an ordinary call is one message', async () => {
  const { heard, transport } = harness();
  expect(await transport.call('app.info', undefined)).toEqual({ ok: true, data: 1 });
  expect(heard).toEqual([['app.info', {}]]);
});

test('a call that is larger than a message goes in parts, and the last one answers', async () => {
  const { heard, transport } = harness();
  const input = { text: 'ü😀'.repeat(100_000) };
  expect(await transport.call('chat.send', input)).toEqual({ ok: true, data: heard.length });
  const parts = heard.map(([, part]) => part as CallPart);
  expect(heard.length).toBeGreaterThan(2);
  expect(heard.every(([name]) => name === 'call.part')).toBe(true);
  for (const { text } of parts) expect(text.length * 2).toBeLessThan(250 * 1024);
  expect(JSON.parse(parts.map(({ text }) => text).join(''))).toEqual(input);
});

test('a part that is refused ends it', async () => {
  const { heard, transport } = harness(1);
  const answer = await transport.call('chat.send', { text: 'a'.repeat(400_000) });
  expect([answer.ok, heard.length]).toEqual([false, 2]);
});
