import { create } from 'zustand';
import { type DecodedText, decodeAs, type TextEncoding } from '../../../shared/text/textEncoding.ts';

/** A text whose encoding the user is asked for. */
interface Asked {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  shown: DecodedText;
  /** Undefined: the text is not taken. */
  answer: (text: string | undefined) => void;
}

export const useAskedEncoding = create<{ asked: Asked | undefined; isShown: boolean }>()(() => ({
  asked: undefined,
  isShown: false,
}));

/** The text as the user accepts it; undefined where they do not, or where no dialog is there to ask. */
export function askEncoding(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  shown: DecodedText,
): Promise<string | undefined> {
  const { asked, isShown } = useAskedEncoding.getState();
  asked?.answer(undefined);
  if (!isShown) return Promise.resolve(undefined);
  return new Promise((answer) => useAskedEncoding.setState({ asked: { name, bytes, shown, answer } }));
}

export function showAs(encoding: TextEncoding): void {
  const { asked } = useAskedEncoding.getState();
  if (asked) useAskedEncoding.setState({ asked: { ...asked, shown: decodeAs(asked.bytes, encoding) } });
}

export function answerEncoding(isTaken: boolean): void {
  const { asked } = useAskedEncoding.getState();
  useAskedEncoding.setState({ asked: undefined });
  asked?.answer(isTaken ? asked.shown.text : undefined);
}
