import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../shared/chat/conversation.ts';
import { MessageAssembler } from './messageAssembler.ts';

const message = (text: string, state: Message['state'] = 'streaming'): Message => ({
  ...{ id: 'm', revision: 1, conversationId: 'c', branch: 'b', role: 'assistant', text, state, createdAt: 1 },
});
const delta = (text: string) =>
  ({ type: 'chat.delta', conversationId: 'c', messageId: 'm', jobId: 'j', text }) as const;

/** Words that differ, so that no two places of an answer look alike. */
const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `word${from + index} `).join('');

describe('an answer that is read while it comes', () => {
  it('shows a piece once that is in the read text already, and goes on from there', () => {
    const assembler = new MessageAssembler();
    assembler.merge(message(words(0, 9)));
    assembler.addDelta(delta(words(7, 8)));
    assembler.addDelta(delta(words(8, 12)));
    expect(assembler.shown(message('')).text, 'not known where they belong: as it was read').toBe(words(0, 9));
    expect(assembler.isIncomplete('m')).toBe(true);
    const since = assembler.idsWithDeltas();
    expect(assembler.merge(message(words(0, 10)), since).text).toBe(words(0, 12));
    expect(assembler.isIncomplete('m')).toBe(false);
    assembler.addDelta(delta(words(12, 13)));
    expect(assembler.shown(message('')).text).toBe(words(0, 13));
  });

  it('loses nothing when the studio’s text is behind, and doubles nothing when it is ahead', () => {
    const assembler = new MessageAssembler();
    assembler.merge(message('', 'waiting'));
    assembler.addDelta(delta(words(0, 6)));
    expect(assembler.merge(message(words(0, 2))).text).toBe(words(0, 6));
    expect(assembler.merge(message(words(0, 8))).text).toBe(words(0, 8));
    assembler.addDelta(delta(words(6, 8)));
    assembler.addDelta(delta(words(8, 9)));
    expect(assembler.shown(message('')).text).toBe(words(0, 9));
  });

  it('is not led astray by a letter that fits by chance', () => {
    const assembler = new MessageAssembler();
    assembler.addDelta(delta(' and'));
    const since = assembler.idsWithDeltas();
    expect(assembler.merge(message('The lamp '), since).text).toBe('The lamp ');
    expect(assembler.isIncomplete('m')).toBe(true);
  });

  it('ends with the studio’s last word', () => {
    const assembler = new MessageAssembler();
    assembler.addDelta(delta('something'));
    expect(assembler.merge(message('The end.', 'done')).text).toBe('The end.');
    expect(assembler.shown(message('The end.', 'done')).text).toBe('The end.');
  });

  it('shows only ever a beginning of the answer, whatever the order of pieces and readings', () => {
    const whole = words(0, 60);
    const step = fc.record({ piece: fc.integer({ min: 1, max: 30 }), lag: fc.option(fc.integer({ min: 0, max: 80 })) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.array(step, { maxLength: 15 }), (start, steps) => {
        const assembler = new MessageAssembler();
        let shown = assembler.merge(message(whole.slice(0, start)));
        let at = start;
        for (const { piece, lag } of steps) {
          assembler.addDelta(delta(whole.slice(at, at + piece)));
          at = Math.min(whole.length, at + piece);
          const since = assembler.idsWithDeltas();
          shown = assembler.shown(shown);
          if (lag !== null) shown = assembler.merge(message(whole.slice(0, Math.max(start, at - lag))), since);
          expect(whole.startsWith(shown.text)).toBe(true);
        }
      }),
    );
  });
});
