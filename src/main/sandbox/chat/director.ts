import { newToolCallId } from '../ids.ts';
import { hashOf, pick, type Random, randomOf, shuffled } from '../random.ts';
import type { ToolCall } from '../state/records.ts';
import type { ParsedChatRequest } from './chatRequest.ts';
import { subjectOf } from './compose.ts';
import { BEATS, LIGHTS, MOVES, SIZES, SOUNDS } from './phrases.ts';

/**
 * Plays a director from the words of a prompt, if the request offers a director's tools: "five shots, the third 5 s", "make shot 2 6 s
 * long: a caged lamp", "two posters", "what is on the board?". A length is used as stated, so a wrong length makes a wrong call.
 */

/** A director's answer to the results of its drafts; undefined if they are not a director's. */
export function directorsWords(results: readonly { name: string; content: string }[]): string | undefined {
  const lines = results.flatMap(({ name, content }) => (NAMES.has(name) ? [lineOf(name, content)] : []));
  if (lines.length === 0) return undefined;
  return `${lines.join('\n')}\n\nSay what you want changed, and I draft it anew.\n\n*Sandbox answer: composed from what the drafts became.*`;
}

const NAMES = new Set(['draft_shots', 'change_shot', 'draft_images', 'read_board']);

interface Told {
  drafted?: { title: string; price: string; state: string }[];
  not_drafted?: string[];
  shots?: { number: number; title: string }[];
  error?: string;
}

function lineOf(name: string, content: string): string {
  const { drafted = [], not_drafted: wrong = [], shots = [], error }: Told = JSON.parse(content);
  const made = drafted.map(({ title, price, state }) => `- **${title}**, ${price}: ${state}`);
  const faults = [...wrong, ...(error === undefined ? [] : [error])].map((fault) => `- not drafted: \`${fault}\``);
  const read = shots.map(({ number, title }) => `- shot ${number}: ${title}`);
  const lines = [...made, ...faults, ...read];
  return lines.length === 0 ? `- \`${name}\`: there is nothing yet` : lines.join('\n');
}

export interface Directed {
  text: string;
  toolCalls: ToolCall[];
}

/** Undefined if the request offers no such tools, or the prompt asks for nothing they do. */
export function directedBy(request: ParsedChatRequest, prompt: string): Directed | undefined {
  const offered = new Set(request.tools.map((tool) => tool.function.name));
  if (request.toolChoice === 'none' || !offered.has('draft_shots')) return undefined;
  const random = randomOf(hashOf(prompt) ^ request.seed);
  const words = prompt.slice(0, MOST_READ);
  const asked: Asked = { prompt: words, random, subject: subjectIn(words) };
  const made = [changes(asked), shots(asked), images(asked), reads(asked)].filter((call) => call !== undefined);
  const calls = made.filter(({ name }) => offered.has(name));
  if (calls.length === 0) return undefined;
  const said = calls.map(({ said }) => said).join(', ');
  return {
    text: `${said.charAt(0).toUpperCase()}${said.slice(1)}. Nothing of it runs until you approve it.\n\n*Sandbox answer: drafted from your words with seed ${request.seed}. No model was asked.*`,
    toolCalls: calls.map(({ name, input }) => ({ id: newToolCallId(), name, arguments: JSON.stringify(input) })),
  };
}

/** The number of characters of a prompt that are read. */
const MOST_READ = 4_000;

/** The words after "of", otherwise the most descriptive ones. */
function subjectIn(prompt: string): string {
  const first = prompt.split(/[.:!?;,]/)[0] ?? prompt;
  const at = first.lastIndexOf(' of ');
  const behind = at < 0 ? '' : first.slice(at + 4).trim();
  return behind.length >= 3 && behind.length <= 60 ? behind : subjectOf(first);
}

interface Asked {
  prompt: string;
  subject: string;
  random: Random;
}

interface Call {
  name: string;
  input: object;
  /** The sentence about it in the answer. */
  said: string;
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const MOST = 12;

const numberOf = (word: string): number => {
  const named = NUMBERS.indexOf(word.toLowerCase()) + 1;
  const count = named || Number(word) || 1;
  return Math.min(count, MOST);
};

const wordOf = (count: number, one: string): string => `${NUMBERS[count - 1] ?? count} ${one}${count === 1 ? '' : 's'}`;

const SHOTS = /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?) (?:new |more )?shots?\b/i;
const EACH = /\b(\d{1,2}) ?(?:s|sec|seconds) each\b/i;
const NTH =
  /\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)(?: one| shot)?(?: is| of| at)? (\d{1,2}) ?(?:s|sec|seconds)\b/i;

function shots({ prompt, subject, random }: Asked): Call | undefined {
  const found = SHOTS.exec(prompt)?.[1];
  if (found === undefined) return undefined;
  const count = numberOf(found);
  const each = EACH.exec(prompt)?.[1];
  const [, nth = '', seconds] = NTH.exec(prompt) ?? [];
  const at = nth.toLowerCase() === 'last' ? count - 1 : ORDINALS.indexOf(nth.toLowerCase());
  const [sizes, beats, moves] = [shuffled(random, SIZES), shuffled(random, BEATS), shuffled(random, MOVES)];
  const drafted = Array.from({ length: count }, (_, index) => {
    const durationSeconds = Number((index === at ? seconds : each) ?? pick(random, [4, 6, 8]));
    const size = sizes[index % sizes.length] ?? SIZES[0];
    const light = pick(random, LIGHTS);
    return {
      title: `${size}, ${subject}`.slice(0, 120),
      prompt: `${size} of ${subject}. It ${beats[index % beats.length]}. Camera: ${moves[index % moves.length]}. Light: ${light}. Sound: ${pick(random, SOUNDS)}.`,
      config: { durationSeconds },
      ...(index > 0 && /\bcontinu|\bflow/i.test(prompt) ? { joint: 'continue' } : {}),
    };
  });
  return { name: 'draft_shots', input: { shots: drafted }, said: `${wordOf(count, 'shot')} drafted` };
}

const SHOT = /\bshot (\d{1,3})\b/i;
const CHANGES = /\b(?:change|make|turn|rewrite|redo)\b/i;

function changes({ prompt, subject, random }: Asked): Call | undefined {
  const named = SHOT.exec(prompt);
  const shot = named?.[1];
  if (!named || !CHANGES.test(prompt.slice(Math.max(0, named.index - 60), named.index))) return undefined;
  const [rest = ''] = prompt.slice(named.index + named[0].length).split('.');
  const seconds = /\b(\d{1,2}) ?(?:s|sec|seconds)\b/i.exec(rest)?.[1];
  const words = /:\s*([^.]{2,400})/.exec(rest)?.[1] ?? `${pick(random, SIZES)} of ${subject}, ${pick(random, MOVES)}`;
  const input = {
    shot: Number(shot),
    prompt: words.trim(),
    ...(seconds === undefined ? {} : { config: { durationSeconds: Number(seconds) } }),
    ...(/\bcontinue/i.test(rest) ? { joint: 'continue' } : {}),
  };
  return { name: 'change_shot', input, said: `a change of shot ${shot} drafted` };
}

const IMAGES =
  /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?) (?:new |more )?(poster|picture|image|still)s?\b/i;

function images({ prompt, subject, random }: Asked): Call | undefined {
  const [, found, what = 'picture'] = IMAGES.exec(prompt) ?? [];
  if (found === undefined) return undefined;
  const count = numberOf(found);
  const kind = what.toLowerCase();
  const aspect = kind === 'poster' ? ' --ar 2:3' : '';
  const drafted = Array.from({ length: count }, (_, index) => ({
    title: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${index + 1}, ${subject}`.slice(0, 120),
    prompt: `${pick(random, SIZES)} of ${subject}, ${pick(random, LIGHTS)}, ${kind} ${index + 1} of ${count}${aspect}`,
  }));
  return { name: 'draft_images', input: { images: drafted }, said: `${wordOf(count, kind)} drafted` };
}

const reads = ({ prompt }: Asked): Call | undefined =>
  /\b(?:read|look at|what is on|what's on|show me)\b[^.]{0,20}\bboard\b/i.test(prompt)
    ? { name: 'read_board', input: {}, said: 'the board is read' }
    : undefined;
