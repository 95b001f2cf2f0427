import { fail, ok, type Result } from '../../shared/result.ts';
import { formatCount, formatLocale, t } from '../../shared/texts.ts';

/** The text of a file, of at most so many characters. Spreadsheets also write UTF-16; a byte order mark is no part of the text. */
export async function textOfFile(file: Blob & { name: string }, mostCharacters: number): Promise<Result<string>> {
  if (file.size > mostCharacters * 4) {
    const megabytes = (file.size / 1e6).toLocaleString(formatLocale(), { maximumFractionDigits: 1 });
    const most = formatCount(mostCharacters);
    return fail('too_large', t`${file.name} has ${megabytes} MB; at most ${most} characters are read at once.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  try {
    return ok(
      new TextDecoder(isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8', { fatal: true }).decode(bytes),
    );
  } catch {
    return fail('invalid_input', t`${file.name} is not UTF-8 text; save it as “CSV UTF-8”.`);
  }
}
