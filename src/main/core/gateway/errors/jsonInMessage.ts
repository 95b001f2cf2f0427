import { type Json, parseJson } from '../json/index.ts';

/**
 * The JSON inside a message, which may have several lines, stand in a list, or have what a gateway adds behind it. Any other words behind it
 * may be a doubt (a second attempt whose connection broke) or the reason itself (the JSON is the prompt), so the message stays as it is.
 */
export function jsonInMessage(message: string): Json | undefined {
  const start = message.search(/\{\s*"/);
  const end = message.lastIndexOf('}') + 1;
  const behind = message.slice(end, end + MAX_BEHIND);
  if (start < 0 || message.length > end + MAX_BEHIND || !BEHIND.test(behind)) return undefined;
  return parseJson(message.slice(start, end));
}

const MAX_BEHIND = 600;
/** The end of a quotation, the gateway's request id (new-api), or the groups of LiteLLM's router. */
const BEHIND =
  /^[\s\]"'`).,;:]{0,50}(?:[(（[]?\s{0,9}(?:request|trace)[ _-]?id\b[^{}\n]{0,120})?$|^[\s.'"\]]{0,50}Received Model Group=[^\n]{0,200}\n?[\s.]{0,50}Available Model Group Fallbacks=[^\n]{0,300}$/i;
