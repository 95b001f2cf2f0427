import type { Message } from '../../../shared/conversation.ts';
import type { StudioEvent } from '../../../shared/events.ts';

type Delta = Extract<StudioEvent, { type: 'chat.delta' }>;

/** Fewer characters than this may agree by chance. */
const SURE = 12;

/**
 * One channel of an answer that is coming: its pieces, and the text as the studio read it. The two come by different ways, so that
 * a piece that is heard may or may not be in the text already. Until that is known the read text alone is shown.
 */
interface Channel {
  /** All pieces heard, joined. */
  heard: string;
  /** The text that stood before the first piece heard; undefined until it is known. */
  base: string | undefined;
  /** The longest text that was read. */
  read: string;
}

const shownOf = ({ base, heard, read }: Channel): string =>
  base === undefined || base.length + heard.length < read.length ? read : base + heard;

/** How much of the end of `text` is the beginning of `heard`; reads each character once (Knuth, Morris and Pratt). */
function overlap(text: string, heard: string): number {
  /** For each length of a beginning of `heard`: the longest shorter one that it ends with. */
  const shorter = [0];
  let length = 0;
  const follow = (char: string | undefined) => {
    while (length > 0 && (length === heard.length || heard[length] !== char)) length = shorter[length - 1] ?? 0;
    if (heard[length] === char) length += 1;
  };
  for (let at = 1; at < heard.length; at++) {
    follow(heard[at]);
    shorter.push(length);
  }
  length = 0;
  for (let at = Math.max(0, text.length - heard.length); at < text.length; at++) follow(text[at]);
  return length;
}

/** Joins the pieces of answers with what was read of them, so that nothing stands twice and nothing is lost. */
export class Growing {
  private readonly channels = new Map<string, { text: Channel; reasoning: Channel }>();

  /** Notes a piece. */
  hear({ messageId, channel, text }: Delta): void {
    this.of(messageId)[channel ?? 'text'].heard += text;
  }

  /**
   * Takes a message in as it was read, and gives it as it is to be shown. `since` are the ids of the messages of which a piece had been
   * heard when the reading began: only a text that must hold the first piece tells where the pieces begin in it.
   */
  take(message: Message, since: ReadonlySet<string> = new Set()): Message {
    if (message.state !== 'streaming' && message.state !== 'waiting') {
      this.channels.delete(message.id);
      return message;
    }
    const own = this.of(message.id);
    for (const channel of ['text', 'reasoning'] as const) {
      const read = message[channel] ?? '';
      const known = own[channel];
      if (known.base === undefined && read === '' && known.read === '') known.base = '';
      if (known.base === undefined && since.has(message.id)) {
        const length = overlap(read, known.heard);
        if (length >= SURE) known.base = read.slice(0, read.length - length);
      }
      if (read.length > known.read.length) known.read = read;
    }
    return this.shown(message);
  }

  /** The message with what has been heard of it. */
  shown(message: Message): Message {
    const own = this.channels.get(message.id);
    if (!own) return message;
    const reasoning = shownOf(own.reasoning);
    const began = own.text.heard !== '' || own.reasoning.heard !== '';
    return {
      ...message,
      ...(began ? { state: 'streaming' as const } : {}),
      text: shownOf(own.text),
      ...(reasoning === '' ? {} : { reasoning }),
    };
  }

  /** Ids of the messages of which a piece has been heard. */
  heardOf(): ReadonlySet<string> {
    return new Set([...this.channels.keys()].filter((id) => this.hasHeard(id)));
  }

  /** Pieces were heard of which it is not known where they belong: the message must be read again. */
  isLoose(messageId: string): boolean {
    const own = this.channels.get(messageId);
    return own !== undefined && [own.text, own.reasoning].some(({ base, heard }) => base === undefined && heard !== '');
  }

  /** Pieces may have been missed: what comes is joined anew. */
  forget(): void {
    this.channels.clear();
  }

  private hasHeard(id: string): boolean {
    const own = this.channels.get(id);
    return own !== undefined && (own.text.heard !== '' || own.reasoning.heard !== '');
  }

  private of(messageId: string) {
    const known = this.channels.get(messageId);
    if (known) return known;
    const channel = (): Channel => ({ heard: '', base: undefined, read: '' });
    const fresh = { text: channel(), reasoning: channel() };
    this.channels.set(messageId, fresh);
    return fresh;
  }
}
