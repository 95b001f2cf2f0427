import { z } from 'zod';

/** NUL in inputs. Files and programs cut a text there or refuse it, so that what is stored would not be what is used. */

export const NOT_TEXT = 'has a character that is no text (NUL).';

/** Fields that hold a whole file: its reader reports the line of a NUL. */
export const wholeFiles = z.registry();

/** The path of the first text with a NUL, `shots.0.prompt`; undefined if there is none. */
export function nulAt(schema: z.ZodType, input: unknown): string | undefined {
  const files = schema instanceof z.ZodObject ? fileFields(schema) : [];
  return find(input, '', (path) => files.includes(path));
}

const fileFields = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((field) => wholeFiles.has(shape[field] as z.ZodType));

function find(value: unknown, path: string, isFile: (path: string) => boolean): string | undefined {
  if (typeof value === 'string') return value.includes('\0') && !isFile(path) ? path : undefined;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    const found = name.includes('\0') ? path : find(inner, at, isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

const READABLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text is only white space, control and invisible characters. A request with it would still be paid for. */
export const isBlank = (text: string): boolean => !READABLE.test(text);
