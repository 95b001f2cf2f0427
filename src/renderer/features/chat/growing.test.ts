import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../shared/conversation.ts';
import { Growing } from './growing.ts';

const message = (text: string, state: Message['state'] = 'streaming'): Message => ({
  id: 'm',
  revision: 1,
  conversationId: 'c',
  role: 'assistant',
  text,
  state,
  createdAt: 1,
});
const delta = (text: string) =>
  ({ type: 'chat.delta', conversationId: 'c', messageId: 'm', jobId: 'j', text }) as const;

/** Words that differ, so that no two places of an answer look alike. */
const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `word${from + index} `).join('');

describe('an answer that is read while it comes', () => {
  it('shows a piece once that is in the read text already, and goes on from there', () => {
    const growing = new Growing();
    growing.take(message(words(0, 9)));
    growing.hear(delta(words(7, 8)));
    growing.hear(delta(words(8, 12)));
    expect(growing.shown(message('')).text, 'not known where they belong: as it was read').toBe(words(0, 9));
    expect(growing.isLoose('m')).toBe(true);
    const since = growing.heardOf();
    expect(growing.take(message(words(0, 10)), since).text).toBe(words(0, 12));
    expect(growing.isLoose('m')).toBe(false);
    growing.hear(delta(words(12, 13)));
    expect(growing.shown(message('')).text).toBe(words(0, 13));
  });

  it('loses nothing when the studio’s text is behind, and doubles nothing when it is ahead', () => {
    const growing = new Growing();
    growing.take(message('', 'waiting'));
    growing.hear(delta(words(0, 6)));
    expect(growing.take(message(words(0, 2))).text).toBe(words(0, 6));
    expect(growing.take(message(words(0, 8))).text).toBe(words(0, 8));
    growing.hear(delta(words(6, 8)));
    growing.hear(delta(words(8, 9)));
    expect(growing.shown(message('')).text).toBe(words(0, 9));
  });

  it('is not led astray by a letter that fits by chance', () => {
    const growing = new Growing();
    growing.hear(delta(' and'));
    const since = growing.heardOf();
    expect(growing.take(message('The lamp '), since).text).toBe('The lamp ');
    expect(growing.isLoose('m')).toBe(true);
  });

  it('ends with the studio’s last word', () => {
    const growing = new Growing();
    growing.hear(delta('something'));
    expect(growing.take(message('The end.', 'done')).text).toBe('The end.');
    expect(growing.shown(message('The end.', 'done')).text).toBe('The end.');
  });

  it('shows only ever a beginning of the answer, whatever the order of pieces and readings', () => {
    const whole = words(0, 60);
    const step = fc.record({ piece: fc.integer({ min: 1, max: 30 }), lag: fc.option(fc.integer({ min: 0, max: 80 })) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.array(step, { maxLength: 15 }), (start, steps) => {
        const growing = new Growing();
        let shown = growing.take(message(whole.slice(0, start)));
        let at = start;
        for (const { piece, lag } of steps) {
          growing.hear(delta(whole.slice(at, at + piece)));
          at = Math.min(whole.length, at + piece);
          const since = growing.heardOf();
          shown = growing.shown(shown);
          if (lag !== null) shown = growing.take(message(whole.slice(0, Math.max(start, at - lag))), since);
          expect(whole.startsWith(shown.text)).toBe(true);
        }
      }),
    );
  });
});
