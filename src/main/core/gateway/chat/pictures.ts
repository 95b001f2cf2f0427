import {
  type AddressContext,
  inlineBytes,
  MAX_RESULTS,
  mediaBytes,
  outputAt,
  pictureAddress,
  unsigned,
} from '../addresses/mediaAddress.ts';
import { field, isObject, listOf } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';
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

/** Receives the pictures of an answer. */
export interface PictureSink {
  context: AddressContext;
  onPicture(output: RemoteOutput): void;
}

/** Characters of all pictures of one answer. */
const MAX_PICTURES_LENGTH = 64 * 1024 * 1024;

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
      onPicture(outputAt(uri));
      return true;
    },
    /**
     * Whether an address in a model's text is a result. Only an address at the gateway itself is: fetching any other would tell its host
     * what the model wrote into it (docs/decisions/0027).
     */
    isResult(address: string): boolean {
      const uri = pictureAddress(address, context);
      return uri !== undefined && URL.parse(uri)?.origin === origin;
    },
  };
}

interface Parts {
  onText(text: string): void;
  onPicture(address: string): void;
  isResult(address: string): boolean;
}

const MARKED =
  /^!\[[^\]\n]{0,300}\]\( ?<?(?:(data:image\/[\w.+-]{1,40};base64,)([\w+/-]{24})|(https?:\/\/[^\s<>)"]{1,2000})(?=[\s>)"]))/i;
const MAY_BE_MARKED = /^!(?:\[[^\]\n]{0,300}(?:\](?:\( ?<?[^\s<>)"]{0,2000})?)?)?$/;
/** A character that is in no address. */
const ENDING = /[\s<>()[\]"]/;
/** The longest beginning of an image: with more text, it cannot become one. */
const MAX_OPENING = 2_400;
const BARE = /^\s{0,100}(data:image\/[\w.+-]{1,40};base64,)([\w+/-]{24})/i;
const MAY_BE_BARE = /^\s{0,100}(?:d|da|dat|data|data:[\w.+/;,-]{0,90})?$/i;
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;
/** Behind the address of a Markdown image. */
const REST = /[)\n]/;

/**
 * Takes the pictures out of the words of an answer while they arrive, wherever a chunk ends: the bytes of one in a Markdown image or as the
 * whole answer, and Markdown images whose address is a result. Anything else stays among the words.
 */
export class PictureSplitter {
  private readonly parts: Parts;
  /** Text that is held back until it is known whether it becomes a picture. */
  private held = '';
  private isBegun = false;
  /** The picture that is arriving. */
  private bytes: string | undefined;
  private isMarked = false;
  private isAtRest = false;
  private isWaiting = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  readonly push = (text: string): void => {
    this.held += text;
    // A possible image is checked again only where it may have ended: a service may send every letter by itself.
    if (this.isWaiting && this.held.length < MAX_OPENING && !ENDING.test(text)) return;
    this.run(false);
  };

  end(): void {
    this.run(true);
  }

  private run(last: boolean): void {
    while ((this.held !== '' || this.bytes !== undefined) && this.step(last)) {
      // Each step takes something of the text.
    }
  }

  /** False if it needs more text. */
  private step(last: boolean): boolean {
    if (this.bytes !== undefined) return this.takeBytes(this.bytes, last);
    if (this.isAtRest) return this.skipRest();
    if (!this.isBegun) return this.begin(last);
    const at = this.held.indexOf('!');
    return at === 0 ? this.takeMarked(last) : this.emit(at < 0 ? this.held.length : at);
  }

  private emit(length: number): boolean {
    this.parts.onText(this.held.slice(0, length));
    return this.skip(length);
  }

  private skip(length: number): boolean {
    this.held = this.held.slice(length);
    return this.held !== '';
  }

  private begin(last: boolean): boolean {
    if (!last && MAY_BE_BARE.test(this.held)) return false;
    this.isBegun = true;
    this.beginBytes(BARE.exec(this.held), false);
    return true;
  }

  private takeMarked(last: boolean): boolean {
    this.isWaiting = false;
    const opening = MARKED.exec(this.held);
    if (this.beginBytes(opening, true)) return true;
    const address = opening?.[3];
    if (address !== undefined && this.parts.isResult(address)) {
      this.parts.onPicture(address);
      this.isAtRest = true;
      return this.skip(opening?.[0].length ?? 0);
    }
    this.isWaiting = !last && opening === null && MAY_BE_MARKED.test(this.held);
    return this.isWaiting ? false : this.emit(1);
  }

  /** True if these are the first bytes of a picture. */
  private beginBytes(opening: RegExpExecArray | null, isMarked: boolean): boolean {
    const [whole = '', head, first = ''] = opening ?? [];
    if (head === undefined || mediaBytes(first, 'image') === undefined) return false;
    this.bytes = head;
    this.isMarked = isMarked;
    return this.skip(whole.length - first.length);
  }

  private takeBytes(before: string, last: boolean): boolean {
    const found = this.held.search(NOT_BASE64);
    const end = found < 0 ? this.held.length : found;
    const whole = before + this.held.slice(0, end);
    const isOpen = found < 0 && !last && whole.length <= MAX_PICTURES_LENGTH;
    this.bytes = isOpen ? whole : undefined;
    if (!isOpen) {
      this.parts.onPicture(whole);
      this.isAtRest = this.isMarked;
    }
    return this.skip(end);
  }

  private skipRest(): boolean {
    const end = this.held.search(REST);
    this.isAtRest = end < 0;
    return this.skip(end < 0 ? this.held.length : end + Number(this.held[end] === ')'));
  }
}
