import type { z } from 'zod';
import { BUNDLE_LIMITS } from '../../../shared/bundle/document.ts';
import { parseInput } from '../../../shared/contract/result.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { formatCount } from '../../../shared/text/texts.ts';
import { broken } from './bundleFault.ts';
import type { ZipEntry, ZipFile } from './zipFile.ts';

/** The JSON in a bundle: bounded before it is read, and judged by a schema before anything is made of it. */

/** The JSON of one entry, of at most so many bytes. */
export async function jsonOf(zip: ZipFile, entry: ZipEntry, most: number): Promise<unknown> {
  return parsed(entry.name, await textOf(zip, entry, most));
}

export async function textOf(zip: ZipFile, entry: ZipEntry, most: number): Promise<string> {
  if (entry.bytes > most) throw broken(entry.name, `is larger than ${formatBytes(most)}.`);
  const chunks: Buffer[] = [];
  for await (const chunk of zip.read(entry)) chunks.push(chunk);
  return decode(entry.name, new TextDecoder('utf-8', { fatal: true }), Buffer.concat(chunks));
}

/** One value for each line, of at most `count`; each is judged by the schema. */
export async function* linesOf<S extends z.ZodType>(
  zip: ZipFile,
  entry: ZipEntry,
  { schema, count }: { schema: S; count: number },
): AsyncGenerator<z.output<S>> {
  let number = 0;
  for await (const line of rawLines(zip, entry)) {
    number += 1;
    if (number > count) throw broken(entry.name, `has more than ${formatCount(count)} lines.`);
    const name = `${entry.name}, line ${number}`;
    yield checked(name, schema, parsed(name, line));
  }
}

async function* rawLines(zip: ZipFile, entry: ZipEntry): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of zip.read(entry)) {
    const [first = '', ...more] = decode(entry.name, decoder, chunk, { stream: true }).split('\n');
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
    if (rest.length > BUNDLE_LIMITS.line)
      throw broken(entry.name, `has a line of more than ${formatCount(BUNDLE_LIMITS.line)} characters.`);
  }
  if (rest !== '') yield rest;
}

/** The value as the schema has it; the refusal names the entry, the field and its rule. */
export function checked<S extends z.ZodType>(name: string, schema: S, value: unknown): z.output<S> {
  const read = parseInput(schema, value);
  if (!read.ok) throw broken(name, read.error.message);
  return read.data;
}

function decode(
  name: string,
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  options: { stream?: boolean } = {},
): string {
  try {
    return decoder.decode(bytes, options);
  } catch {
    throw broken(name, 'is no UTF-8 text.');
  }
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(name, 'is no JSON.');
  }
}
