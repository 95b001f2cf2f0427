import { WIRE_EXAMPLES, type WireExampleName, type WireProfile } from '../../../../shared/wire/examples.ts';
import { bearerHeader, IDEMPOTENCY_HEADER } from '../../../../shared/wire/headers.ts';

/** An example request in the API format of a gateway, as lines of text. */
export interface WirePreview {
  path: string;
  headers: string[];
  body: Record<string, unknown>;
}

export function wirePreview(profile: WireProfile, name: WireExampleName): WirePreview {
  const { path, headers, body } = WIRE_EXAMPLES[name].request(profile);
  const lines = Object.entries(headers).map(([header, value]) => `${shownHeader(header)}: ${value}`);
  const extra = Object.keys(profile.extraHeaders ?? {}).map((header) => `${header}: ••••`);
  return { path, headers: [...lines, ...extra], body };
}

/** Our own header names are lower-case in a request; here they are written as people know them. */
const shownHeader = (name: string): string =>
  name in OWN_HEADERS ? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()) : name;
const OWN_HEADERS = { ...bearerHeader(''), [IDEMPOTENCY_HEADER]: '' };
