import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../../shared/result.ts';
import { readRegularFile } from '../hosts/common/regularFile.ts';

/** The text of a file, or of stdin for `-`. */
export function readText(file: string): Result<string> {
  try {
    const text = file === '-' ? readFileSync(0, 'utf8') : readRegularFile(file);
    return text === undefined
      ? fail('not_found', `${file}: there is no such file.`)
      : ok(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    return fail('invalid_input', `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
