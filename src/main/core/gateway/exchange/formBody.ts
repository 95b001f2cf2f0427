import { createHash } from 'node:crypto';
import type { FormPart } from '../../../../shared/wire/families/index.ts';

/** A form as bytes (RFC 7578). The same parts and the same seed give the same bytes. */
export function formBody(parts: readonly FormPart[], seed: string): { body: Buffer; type: string } {
  const boundary = `dailies-${createHash('sha256').update(seed).digest('hex').slice(0, 32)}`;
  const pieces = parts.flatMap(({ name, value }) => {
    const isFile = typeof value !== 'string';
    const head = [
      `--${boundary}`,
      `content-disposition: form-data; name="${name}"${isFile ? `; filename="${value.filename}"` : ''}`,
      ...(isFile ? [`content-type: ${value.mime}`] : []),
    ];
    return [
      Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
      Buffer.from(isFile ? value.bytes : value),
      Buffer.from('\r\n'),
    ];
  });
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
