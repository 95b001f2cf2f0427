import { fail, ok, type Result } from '../../shared/contract/result.ts';
import { decodeText } from '../../shared/text/textEncoding.ts';
import { formatCount, formatLocale, t } from '../../shared/text/texts.ts';
import { askEncoding } from '../app/index.ts';

/**
 * The text of a file up to a number of characters. If its encoding is a guess, or characters are unreadable, the user sees the text first;
 * if they decline, it is refused.
 */
export async function textOfFile(file: Blob & { name: string }, mostCharacters: number): Promise<Result<string>> {
  if (file.size > mostCharacters * 4) {
    const megabytes = (file.size / 1e6).toLocaleString(formatLocale(), { maximumFractionDigits: 1 });
    const most = formatCount(mostCharacters);
    return fail('too_large', t`${file.name} has ${megabytes} MB; at most ${most} characters are read at once.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const decoded = await decodeText(bytes);
  if (!decoded.isGuess && decoded.unreadable === 0) return ok(decoded.text);
  const accepted = await askEncoding({ name: file.name, bytes, shown: decoded });
  return accepted === undefined
    ? fail('invalid_input', t`${file.name} is not UTF-8 text; save it as “CSV UTF-8”.`)
    : ok(accepted);
}
