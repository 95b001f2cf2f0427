/** Prompts that other programs write into pictures. Untrusted: unknown forms are ignored, and JSON is never taken for a prompt. */

export const COMMENT_KEY = 'UserComment';

interface Text {
  keyword: string;
  text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Prompt and settings as one text (AUTOMATIC1111, Forge), or the prompt alone. */
export function foreignParameters(texts: readonly Text[]): string | undefined {
  const named = (keyword: string): string | undefined => texts.find((one) => one.keyword === keyword)?.text;
  return (
    plainOr(named('parameters'), () => true) ??
    plainOr(named(COMMENT_KEY), hasSettings) ??
    ofGraph(named('prompt')) ??
    wordsAt(named('invokeai_metadata'), 'positive_prompt') ??
    ofNovelAi(named) ??
    ofMidjourney(named('Description'))
  );
}

/** An Exif comment may be a camera's. */
const hasSettings = (text: string): boolean => /^(?:Negative prompt|Steps):/m.test(text);

/** The text itself, or the prompt in its JSON (SwarmUI, Fooocus). */
function plainOr(text: string | undefined, isPlain: (text: string) => boolean): string | undefined {
  if (text === undefined) return undefined;
  const start = text.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return isPlain(text) ? text : undefined;
  const document = fieldsOf(text);
  // `[a|b]` and `{a|b}` are choices in a prompt.
  if (!document) return /^\{\s*"|^\[\s*[[{"\d]/.test(start) || !isPlain(text) ? undefined : text;
  return words(fieldIn(document.sui_image_params, 'prompt')) ?? words(document.prompt);
}

const wordsAt = (json: string | undefined, field: string): string | undefined => words(fieldIn(fieldsOf(json), field));

function ofNovelAi(named: (keyword: string) => string | undefined): string | undefined {
  if (named('Software') !== 'NovelAI') return undefined;
  return wordsAt(named('Comment'), 'prompt') ?? words(named('Description'));
}

const JOB_ID = ' Job ID: ';

function ofMidjourney(description: string | undefined): string | undefined {
  const end = description?.lastIndexOf(JOB_ID) ?? -1;
  return end < 0 ? undefined : words(description?.slice(0, end));
}

const MAX_STEPS = 20;

/** The positive prompt of the sampler in a ComfyUI graph. */
function ofGraph(json: string | undefined): string | undefined {
  const nodes = fieldsOf(json);
  if (!nodes) return undefined;
  const inputsOf = (id: unknown): Fields =>
    typeof id === 'string' && Object.hasOwn(nodes, id) ? (fieldsIn(fieldIn(nodes[id], 'inputs')) ?? {}) : {};
  const sampler = Object.keys(nodes).find((id) => Array.isArray(inputsOf(id).positive));
  let at: unknown = sampler === undefined ? undefined : linkOf(inputsOf(sampler).positive);
  for (let step = 0; at !== undefined && step < MAX_STEPS; step += 1) {
    const { text, text_g: wide, conditioning, positive } = inputsOf(at);
    const found = words(text) ?? words(wide);
    if (found !== undefined) return found;
    at = linkOf(text) ?? linkOf(conditioning) ?? linkOf(positive);
  }
  return undefined;
}

const linkOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const fieldsIn = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

const fieldIn = (value: unknown, field: string): unknown => {
  const fields = fieldsIn(value);
  return fields && Object.hasOwn(fields, field) ? fields[field] : undefined;
};

function fieldsOf(json: string | undefined): Fields | undefined {
  try {
    return json === undefined ? undefined : fieldsIn(JSON.parse(json));
  } catch {
    return undefined;
  }
}
