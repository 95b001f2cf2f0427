import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import { decodeAs, decodeText, TEXT_ENCODINGS } from '../../shared/text/textEncoding.ts';
import { readRegularBytes } from '../hosts/common/regularFile.ts';
import type { Given, Option } from './command.ts';

/** The option of every command that reads a text. */
export const ENCODING: Option = {
  type: 'string',
  value: TEXT_ENCODINGS,
  says: 'of a file that is not Unicode text; without it, the likely one is named',
};

/** The text of a file, or of stdin for `-`. An encoding that is only guessed is reported, not used. */
export async function readText(file: string, given: Given['flags'][string]): Promise<Result<string>> {
  const chosen = TEXT_ENCODINGS.find((encoding) => encoding === given);
  if (given !== undefined && !chosen)
    return fail('invalid_input', `--encoding must be one of ${TEXT_ENCODINGS.join(', ')}.`);
  try {
    const read = file === '-' ? readFileSync(0) : readRegularBytes(file);
    if (read === undefined) return fail('not_found', `${file}: there is no such file.`);
    const bytes = new Uint8Array(read);
    const { text, encoding, isGuess, unreadable } = chosen ? decodeAs(bytes, chosen) : await decodeText(bytes);
    if (isGuess)
      return fail(
        'invalid_input',
        `${file} is not UTF-8 text. It looks like ${encoding}: if it is, repeat the command with --encoding ${encoding}.`,
      );
    if (unreadable > 0 && !chosen)
      return fail('invalid_input', `${file} has ${unreadable} characters that cannot be read. Save it anew as UTF-8.`);
    return ok(text);
  } catch (error) {
    return fail('invalid_input', `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
