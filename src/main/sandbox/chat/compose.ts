import { hashOf, pick, type Random, randomOf, shuffled } from '../random.ts';
import { ADVICE, BEATS, LIGHTS, MOVES, OPENERS, SIZES, SOUNDS, STOP_WORDS, TITLE_FORMS } from './phrases.ts';

/** What an answer is composed from. The same input gives the same text. */
export interface AnswerInput {
  prompt: string;
  model: string;
  seed: number;
  /** Number of user messages in the conversation, this one included. */
  turn: number;
}

const MAX_WORDS = 2_600;

/** A short, useful text for a film maker, based on the prompt's words. It states that it comes from the sandbox. */
export function composeAnswer(input: AnswerInput): string {
  const random = randomOf(hashOf(`${input.prompt}|${input.model}|${input.turn}`) ^ input.seed);
  const subject = subjectOf(input.prompt);
  const body = bodyFor(input.prompt.toLowerCase())(subject, random);
  const wanted = Math.min(Number(/(\d{2,5})[ -]words?\b/.exec(input.prompt)?.[1] ?? 0), MAX_WORDS);
  const text = lengthen(body, wanted, subject, random);
  return `${text}\n\n*Sandbox answer from \`${input.model}\`: composed from your words with seed ${input.seed}. No model was asked.*`;
}

/** The reasoning of the thinking model. */
export function composeReasoning(input: AnswerInput): string {
  const subject = subjectOf(input.prompt);
  const random = randomOf(hashOf(input.prompt) ^ input.seed);
  return [
    `The request is about ${subject}.`,
    `It would be strongest as a ${pick(random, SIZES).toLowerCase()} frame, with ${pick(random, LIGHTS)}.`,
    `I should keep one action in a shot, and ${pick(random, BEATS)} where the pace allows.`,
    'Now write it down plainly.',
  ].join(' ');
}

/** The same content as a JSON object, for `response_format`. */
export function composeJson(input: AnswerInput): string {
  const random = randomOf(hashOf(input.prompt) ^ input.seed);
  const subject = subjectOf(input.prompt);
  const shots = [1, 2, 3].map((number) => ({
    number,
    size: pick(random, SIZES),
    action: `${subject}: ${pick(random, BEATS)}`,
    light: pick(random, LIGHTS),
    seconds: pick(random, [4, 6, 8]),
  }));
  return JSON.stringify({ title: titleCase(subject), source: 'sandbox', shots });
}

/** An answer composed from the tools' results. */
export function composeFromTools(results: { name: string; content: string }[], input: AnswerInput): string {
  const lines = results.map(({ name, content }) => `- \`${name}\` returned: ${clip(content, 400)}`);
  return `${results.length === 1 ? 'The tool has answered' : 'The tools have answered'}, so here is what follows for ${subjectOf(input.prompt)}.\n\n${lines.join('\n')}\n\nI would plan with exactly these figures, and **not** round them.\n\n*Sandbox answer from \`${input.model}\`: composed from the tool's result.*`;
}

type Body = (subject: string, random: Random) => string;

function bodyFor(prompt: string): Body {
  if (/\b(title|titles|name|names|tagline|logline)\b/.test(prompt)) return titles;
  if (/\bprompts?\b/.test(prompt)) return promptDraft;
  if (/\b(shots?|storyboard|sequence|scenes?|beats?|film|coverage|montage)\b/.test(prompt)) return shotList;
  return treatment;
}

const shotList: Body = (subject, random) => {
  const [sizes, beats, moves] = [shuffled(random, SIZES), shuffled(random, BEATS), shuffled(random, MOVES)];
  const shots = [0, 1, 2, 3, 4].map((index) => {
    const seconds = pick(random, [4, 6, 8]);
    return `${index + 1}. **${sizes[index]}**, ${seconds} s: *${subject}*. It ${beats[index]}. Camera: ${moves[index]}.`;
  });
  return `${pick(random, OPENERS)} A sequence of five for *${subject}*, cut on movement.\n\n${shots.join('\n')}\n\n**Light:** ${pick(random, LIGHTS)}.\n**Sound:** ${pick(random, SOUNDS)}.\n\n> ${pick(random, ADVICE)}`;
};

const promptDraft: Body = (subject, random) =>
  `${pick(random, OPENERS)} A prompt that keeps to one action:\n\n\`\`\`text\n${pick(random, SIZES)} of ${subject}, ${pick(random, MOVES)}, ${pick(random, LIGHTS)}. Sound: ${pick(random, SOUNDS)}.\n\`\`\`\n\nIf the picture is to be wider, add \`--ar 16:9\`; for a second reading change only the seed.\n\n- ${pick(random, ADVICE)}\n- Put what must not change into the first six words: *${subject}*.`;

const titles: Body = (subject, random) => {
  const noun = titleCase(subject.split(' ').at(-1) ?? subject);
  const list = TITLE_FORMS.map((form) => `- **${form(noun)}**: ${pick(random, BEATS)}`);
  return `Six that could stand on a poster for *${subject}*:\n\n${list.join('\n')}\n\nThe first is the plainest and wears best. ${pick(random, ADVICE)}`;
};

const treatment: Body = (subject, random) =>
  `${pick(random, OPENERS)} For **${subject}** I would open on a ${pick(random, SIZES).toLowerCase()} frame, ${pick(random, MOVES)}, with ${pick(random, LIGHTS)}. It ${pick(random, BEATS)}.\n\n- *Picture:* ${subject}, and one thing that moves.\n- *Sound:* ${pick(random, SOUNDS)}.\n- *Length:* ${pick(random, [4, 6, 8])} seconds; cut before it settles.\n\n${pick(random, ADVICE)} ${pick(random, ADVICE)}`;

/** Adds paragraphs of notes until the requested number of words is reached. */
function lengthen(text: string, words: number, subject: string, random: Random): string {
  const parts = [text];
  let count = text.split(/\s+/).length;
  for (let note = 1; count < words; note += 1) {
    const paragraph = `**Note ${note}.** ${pick(random, ADVICE)} With ${subject} that means ${pick(random, LIGHTS)}; ${pick(random, SOUNDS)} under it, and a frame that ${pick(random, BEATS)}.`;
    count += paragraph.split(/\s+/).length;
    parts.push(paragraph);
  }
  return parts.join('\n\n');
}

/** The longest run of descriptive words, at most five. */
export function subjectOf(prompt: string): string {
  const quoted = /["“]([^"“”]{3,60})["”]/.exec(prompt)?.[1];
  if (quoted) return quoted.trim();
  const runs: string[][] = [[]];
  for (const word of prompt.match(/[\p{L}\p{N}'’-]+|[.,;:!?]/gu) ?? []) {
    const isPlain = STOP_WORDS.has(word.toLowerCase()) || !/[\p{L}\p{N}]/u.test(word);
    if (isPlain) runs.push([]);
    else runs.at(-1)?.push(word);
  }
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), []);
  return longest.slice(0, 5).join(' ').slice(0, 80) || 'the scene';
}

function titleCase(text: string): string {
  return text.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
}

function clip(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > length ? `${flat.slice(0, length)}…` : flat;
}
