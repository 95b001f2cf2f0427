import { mediaBytes } from '../addresses/index.ts';
import { MAX_PICTURES_LENGTH } from './pictures.ts';

/**
 * Takes the pictures out of the words of an answer while they arrive, wherever a chunk ends: the bytes of one in a Markdown image or as the
 * whole answer, and Markdown images whose address is a result. Anything else stays among the words.
 */
export interface PictureSplitter {
  push(text: string): void;
  end(): void;
}

interface Parts {
  onText(text: string): void;
  onPicture(address: string): void;
  isResult(address: string): boolean;
}

const MARKED =
  /^!\[[^\]\n]{0,300}\]\( ?<?(?:(data:image\/[\w.+-]{1,40};base64,)([\w+/-]{24})|(https?:\/\/[^\s<>)"]{1,2000})(?=[\s>)"]))/i;
const MAY_BE_MARKED = /^!(?:\[[^\]\n]{0,300}(?:\](?:\( ?<?[^\s<>)"]{0,2000})?)?)?$/;
const BARE = /^\s{0,100}(data:image\/[\w.+-]{1,40};base64,)([\w+/-]{24})/i;
const MAY_BE_BARE = /^\s{0,100}(?:d|da|dat|data|data:[\w.+/;,-]{0,90})?$/i;
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;
/** Behind the address of a Markdown image. */
const REST = /[)\n]/;

export function createPictureSplitter({ onText, onPicture, isResult }: Parts): PictureSplitter {
  let held = '';
  let isBegun = false;
  /** The picture that is arriving. */
  let bytes: string | undefined;
  let isMarked = false;
  let isAtRest = false;

  const emit = (length: number): boolean => {
    if (length > 0) onText(held.slice(0, length));
    held = held.slice(length);
    return held !== '';
  };

  const takeBytes = (before: string, last: boolean): boolean => {
    const end = held.search(NOT_BASE64);
    const whole = before + (end < 0 ? held : held.slice(0, end));
    held = end < 0 ? '' : held.slice(end);
    bytes = end < 0 && !last && whole.length <= MAX_PICTURES_LENGTH ? whole : undefined;
    if (bytes !== undefined) return false;
    onPicture(whole);
    isAtRest = isMarked;
    return held !== '';
  };

  const skipRest = (): boolean => {
    const end = held.search(REST);
    isAtRest = end < 0;
    held = end < 0 ? '' : held.slice(held[end] === ')' ? end + 1 : end);
    return held !== '';
  };

  /** Begins with the bytes of a picture, if these are some. */
  const begins = (opening: RegExpExecArray | null): boolean => {
    const [whole = '', head, first = ''] = opening ?? [];
    if (head === undefined || mediaBytes(first, 'image') === undefined) return false;
    bytes = head;
    held = held.slice(whole.length - first.length);
    return true;
  };

  const begin = (last: boolean): boolean => {
    isMarked = false;
    if (!last && MAY_BE_BARE.test(held)) return false;
    isBegun = true;
    begins(BARE.exec(held));
    return true;
  };

  const readMarked = (last: boolean): boolean => {
    const opening = MARKED.exec(held);
    const address = opening?.[3];
    isMarked = true;
    if (begins(opening)) return true;
    if (address !== undefined && isResult(address)) {
      onPicture(address);
      held = held.slice(opening?.[0].length);
      isAtRest = true;
      return true;
    }
    if (!last && opening === null && MAY_BE_MARKED.test(held)) return false;
    return emit(1);
  };

  /** Takes one step through `held`; false if it needs more text. */
  const step = (last: boolean): boolean => {
    if (bytes !== undefined) return takeBytes(bytes, last);
    if (isAtRest) return skipRest();
    if (!isBegun) return begin(last);
    const at = held.indexOf('!');
    return at === 0 ? readMarked(last) : emit(at < 0 ? held.length : at);
  };

  const run = (last: boolean): void => {
    while ((held !== '' || bytes !== undefined) && step(last)) {
      // Each step takes something of the text.
    }
  };
  return {
    push(text) {
      held += text;
      run(false);
    },
    end: () => run(true),
  };
}
