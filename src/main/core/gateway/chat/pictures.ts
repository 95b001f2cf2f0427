import {
  type AddressContext,
  expiryOf,
  inlineBytes,
  MAX_RESULTS,
  pictureAddress,
  unsigned,
} from '../addresses/index.ts';
import { field, isObject, type Json, listOf } from '../json/index.ts';
import type { RemoteOutput } from '../types.ts';

/** Pictures that come with a chat's answer: addresses, or the bytes as a `data:` address. */

/** The picture of a part: under `image_url` as OpenAI, OpenRouter and LiteLLM spell it, or Gemini's `inlineData`. */
export function pictureOfPart(part: Json): string[] {
  const named = field(part, 'imageUrl');
  const address = isObject(named) ? field(named, 'url') : named;
  const held = field(part, 'inlineData');
  const found = typeof address === 'string' ? address : isObject(held) ? inlineBytes(held, 'image/png') : undefined;
  return found === undefined ? [] : [found];
}

/** The pictures beside the words of a message. */
export const picturesBeside = (message: Json): string[] =>
  listOf(field(message, 'images')).flatMap((entry) => {
    if (typeof entry === 'string') return entry;
    const address = field(entry, 'url');
    return typeof address === 'string' ? address : pictureOfPart(entry);
  });

/** Where the pictures of an answer go. */
export interface PictureSink {
  context: AddressContext;
  onPicture(output: RemoteOutput): void;
}

/** Characters of all pictures of one answer. */
export const MAX_PICTURES_LENGTH = 64 * 1024 * 1024;

/** Gives each picture of an answer on once. */
export function createPictureTaker({ context, onPicture }: PictureSink, result: { pictures?: number }) {
  const taken = new Set<string>();
  let room = MAX_PICTURES_LENGTH;
  const origin = URL.parse(context.base)?.origin;
  return {
    /** False once there is no room for another one. */
    take(given: string): boolean {
      const uri = pictureAddress(given, context);
      if (uri === undefined || taken.has(unsigned(uri))) return true;
      room -= uri.length;
      if (room < 0 || taken.size >= MAX_RESULTS) return false;
      taken.add(unsigned(uri));
      result.pictures = taken.size;
      const expiresAt = expiryOf(uri, undefined);
      onPicture({ uri, role: 'output', ...(expiresAt ? { expiresAt } : {}) });
      return true;
    },
    /**
     * Whether an address among the words of a model is a result: only one at the gateway itself. Fetching any other would tell its host
     * what the model wrote into it (docs/decisions/0027).
     */
    isResult(address: string): boolean {
      const uri = pictureAddress(address, context);
      return uri !== undefined && URL.parse(uri)?.origin === origin;
    },
  };
}
