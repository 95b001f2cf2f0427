import type { Message } from '../../../shared/chat/conversation.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';

type Delta = Extract<StudioEvent, { type: 'chat.delta' }>;

/** A shorter overlap may be a coincidence. */
const LEAST_OVERLAP = 12;

/**
 * One channel of a streaming answer: the deltas from events and the longest snapshot from a query. A delta may or may not be in the
 * snapshot already; until that is known, only the snapshot is shown.
 */
interface Channel {
  deltas: string;
  /** The text before the first delta; undefined until it is known. */
  base: string | undefined;
  snapshot: string;
}

const shownOf = ({ base, deltas, snapshot }: Channel): string =>
  base === undefined || base.length + deltas.length < snapshot.length ? snapshot : base + deltas;

/** The length of the longest end of `text` that is a beginning of `deltas`; reads each character once (Knuth, Morris and Pratt). */
function overlap(text: string, deltas: string): number {
  /** For each beginning of `deltas`, the length of its longest shorter beginning that is also its end. */
  const shorter = [0];
  let length = 0;
  const follow = (char: string | undefined) => {
    while (length > 0 && (length === deltas.length || deltas[length] !== char)) length = shorter[length - 1] ?? 0;
    if (deltas[length] === char) length += 1;
  };
  for (let at = 1; at < deltas.length; at++) {
    follow(deltas[at]);
    shorter.push(length);
  }
  length = 0;
  for (let at = Math.max(0, text.length - deltas.length); at < text.length; at++) follow(text[at]);
  return length;
}

/** Joins the deltas of streaming answers with their snapshots, so that no text is doubled or lost. */
export class MessageAssembler {
  private readonly channels = new Map<string, { text: Channel; reasoning: Channel }>();

  addDelta({ messageId, channel, text }: Delta): void {
    this.of(messageId)[channel ?? 'text'].deltas += text;
  }

  /**
   * Merges a snapshot and returns the message to show. `since` are the ids of the messages that had deltas when the query was sent: only a
   * snapshot that contains the first delta shows where the deltas begin.
   */
  merge(message: Message, since: ReadonlySet<string> = new Set()): Message {
    if (message.state !== 'streaming' && message.state !== 'waiting') {
      this.channels.delete(message.id);
      return message;
    }
    const own = this.of(message.id);
    for (const channel of ['text', 'reasoning'] as const) {
      const read = message[channel] ?? '';
      const known = own[channel];
      if (known.base === undefined && read === '' && known.snapshot === '') known.base = '';
      if (known.base === undefined && since.has(message.id)) {
        const length = overlap(read, known.deltas);
        if (length >= LEAST_OVERLAP) known.base = read.slice(0, read.length - length);
      }
      if (read.length > known.snapshot.length) known.snapshot = read;
    }
    return this.shown(message);
  }

  shown(message: Message): Message {
    const own = this.channels.get(message.id);
    if (!own) return message;
    const reasoning = shownOf(own.reasoning);
    const began = own.text.deltas !== '' || own.reasoning.deltas !== '';
    return {
      ...message,
      ...(began ? { state: 'streaming' as const } : {}),
      text: shownOf(own.text),
      ...(reasoning === '' ? {} : { reasoning }),
    };
  }

  idsWithDeltas(): ReadonlySet<string> {
    return new Set([...this.channels.keys()].filter((id) => this.hasDeltas(id)));
  }

  /** Whether the message has deltas with an unknown position, so that it must be read again. */
  isIncomplete(messageId: string): boolean {
    const own = this.channels.get(messageId);
    return (
      own !== undefined && [own.text, own.reasoning].some(({ base, deltas }) => base === undefined && deltas !== '')
    );
  }

  /** Deltas may have been missed: joining starts over. */
  reset(): void {
    this.channels.clear();
  }

  private hasDeltas(id: string): boolean {
    const own = this.channels.get(id);
    return own !== undefined && (own.text.deltas !== '' || own.reasoning.deltas !== '');
  }

  private of(messageId: string) {
    const known = this.channels.get(messageId);
    if (known) return known;
    const channel = (): Channel => ({ deltas: '', base: undefined, snapshot: '' });
    const fresh = { text: channel(), reasoning: channel() };
    this.channels.set(messageId, fresh);
    return fresh;
  }
}
