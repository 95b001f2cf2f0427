import type { BranchSum, Message } from '../../../shared/chat/conversation.ts';
import { formatNano } from '../../../shared/money/money.ts';

/** A branch of a conversation, to be read: who said what, when, and what it cost together. */

type MessageToRead = Message & { pictureNames: readonly string[] };

interface ChatToRead {
  title: string;
  messages: readonly MessageToRead[];
  branches: number;
  sum: BranchSum;
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** The same on every machine: the reader need not be where it was written. */
const at = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function chatMarkdown({ title, messages, branches, sum }: ChatToRead): string {
  const { chargedNano, uncertainNano, unpriced } = sum;
  const cost = [
    (chargedNano > 0 || unpriced === 0) && `${formatNano(chargedNano)} at most`,
    uncertainNano > 0 && `${formatNano(uncertainNano)} unconfirmed`,
    unpriced > 0 && `${unpriced} without a price`,
  ]
    .filter(Boolean)
    .join(', ');
  const of = branches > 1 ? `One branch of ${branches}` : 'The whole conversation';
  const head = `# ${onOneLine(title)}\n\n*${of}, ${messages.length} messages, ${cost}.*\n`;
  return [head, ...messages.map(section)].join('\n');
}

function section({ role, model, createdAt, text, state, pictureNames }: MessageToRead): string {
  const who = role === 'user' ? 'You' : onOneLine(model ?? 'Assistant');
  const cut = state === 'partial' ? '\n*It was cut off here.*\n' : '';
  const shown = pictureNames.map((name) => `\n*Picture: ${onOneLine(name)}*\n`).join('');
  return `## ${who}, ${at(createdAt)}\n\n${text.trimEnd()}\n${shown}${cut}`;
}
