import { isObject, type Json, type JsonObject } from '../json/index.ts';
import { rewritten } from './rewritten.ts';

/**
 * The answer with each result once, where a service gives it as a draft or in a lesser quality too, each by the names of that service.
 * Where the whole one cannot be downloaded, both stay. The same value where there is nothing of this kind.
 */
export const withoutPreviews = (answer: Json): Json =>
  rewritten(answer, { list: withoutDrafts, object: (node) => wholeOf(node) ?? withoutLesser(node) });

function withoutDrafts(list: Json[]): Json[] {
  const final = list.filter((entry) => !isDraft(entry));
  return final.length < list.length && final.some(hasBytes) ? final : list;
}

/** A picture that Gemini draws as it thinks (ai.google.dev/gemini-api/docs/image-generation: thinking). */
const isDraft = (entry: Json): boolean => isObject(entry) && entry.thought === true && hasBytes(entry);
const hasBytes = (entry: Json): boolean =>
  isObject(entry) && isObject(entry.inlineData ?? entry.inline_data ?? entry.fileData ?? entry.file_data);

/** `{ raw, min }`: the whole file and its small preview (github.com/higgsfield-ai/higgsfield-js: `results`). */
function wholeOf({ raw, min, ...others }: JsonObject): JsonObject | undefined {
  return isObject(raw) && isObject(min) && Object.keys(others).length === 0 && isFileAt(raw.url) ? raw : undefined;
}

/** What a clip was upsampled from beside it (Veo of api.vectorengine.ai); the copy of Luma that has marks (piapi.ai: `output.video_raw`). */
function withoutLesser(node: JsonObject): JsonObject {
  const { video_url: url, upsample_video_url: better, video, video_raw: raw } = node;
  const isUpsampled = typeof url === 'string' && isFileAt(better);
  const isMarked = isObject(video) && isFileAt(video.url) && isObject(raw) && isFileAt(raw.url);
  const lesser = isUpsampled ? 'video_url' : isMarked ? 'video' : undefined;
  return lesser ? Object.fromEntries(Object.entries(node).filter(([name]) => name !== lesser)) : node;
}

/** At a web address; a playlist is no file. */
const isFileAt = (uri: Json | undefined): boolean =>
  typeof uri === 'string' && /^https?:\/\//i.test(uri) && !/\.(m3u8|mpd)(?=$|[?#])/i.test(uri);
