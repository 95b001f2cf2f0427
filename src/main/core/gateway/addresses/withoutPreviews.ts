import { isObject, type Json, type JsonObject } from '../json/index.ts';

const MAX_DEPTH = 16;

/**
 * The answer with each result once, where a service gives it as a draft or in a lesser quality too, each by the names of that service.
 * Where the whole one cannot be downloaded, both stay. The same value where there is nothing of this kind.
 */
export function withoutPreviews(node: Json, depth = 0): Json {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return node;
  if (Array.isArray(node)) return withoutPreviewsOfList(node, depth);
  const whole = wholeOf(node) ?? withoutLesser(node);
  const fields = Object.entries(whole).map(([name, value]) => [name, withoutPreviews(value, depth + 1)] as const);
  return fields.some(([name, value]) => value !== whole[name]) ? Object.fromEntries(fields) : whole;
}

function withoutPreviewsOfList(node: Json[], depth: number): Json {
  const final = node.filter((entry) => !isDraft(entry));
  const list = final.length < node.length && final.some(hasBytes) ? final : node;
  const entries = list.map((entry) => withoutPreviews(entry, depth + 1));
  return list.length < node.length || entries.some((entry, at) => entry !== list[at]) ? entries : node;
}

/** A picture that Gemini draws as it thinks (ai.google.dev/gemini-api/docs/image-generation: thinking). */
const isDraft = (entry: Json): boolean => isObject(entry) && entry.thought === true && hasBytes(entry);
const hasBytes = (entry: Json): boolean => isObject(entry) && isObject(entry.inlineData ?? entry.inline_data);

/** `{ raw, min }`: the whole file and its small preview (github.com/higgsfield-ai/higgsfield-js: `results`). */
function wholeOf({ raw, min, ...others }: JsonObject): JsonObject | undefined {
  if (!isObject(raw) || !isObject(min) || Object.keys(others).length > 0) return undefined;
  return isAtWebAddress(raw) ? raw : undefined;
}

/** What a clip was upsampled from beside it (Veo of api.vectorengine.ai); the copy of Luma that has marks (piapi.ai: `output.video_raw`). */
const LESSER: readonly (readonly [lesser: string, better: string])[] = [
  ['video_url', 'upsample_video_url'],
  ['video', 'video_raw'],
];

function withoutLesser(node: JsonObject): JsonObject {
  const found = LESSER.find(([lesser, better]) => node[lesser] !== undefined && isAtWebAddress(node[better]));
  return found ? Object.fromEntries(Object.entries(node).filter(([name]) => name !== found[0])) : node;
}

function isAtWebAddress(value: Json | undefined): boolean {
  const uri = isObject(value) ? value.url : value;
  return typeof uri === 'string' && /^https?:\/\//i.test(uri);
}
