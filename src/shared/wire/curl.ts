import { bareAddressesIn } from '../gateway/bareAddress.ts';
import { firstKeyHeader, webhookBaseOf } from '../gateway/dialect.ts';
import type { StudioRequest } from '../kinds/index.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { chatBody, chatForm } from './chat.ts';
import type { WireProfile } from './examples.ts';
import { withExtra } from './extra.ts';
import { imageFamily } from './families/index.ts';
import { bearerHeader, CHAT_PATH, type Headers, IDEMPOTENCY_HEADER, imageAuth, jsonHeaders } from './headers.ts';
import { editBody, imageSubmitPath, imagineBody } from './image.ts';
import { protocolsOf } from './protocols.ts';
import { type VideoDialect, videoForm, videoWire } from './video.ts';

/**
 * A request as a shell line, in a profile's API format. Secrets are variables, files of this machine are names in angle brackets, and no
 * address grants access by itself.
 */

export type CurlProfile = WireProfile & VideoDialect & { baseUrl: string };

interface Wire {
  path: string;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Undefined for a kind without a wire form here. */
export function curlOf(request: StudioRequest, profile: CurlProfile): string | undefined {
  const wire = wireOf(request, profile);
  if (!wire) return undefined;
  const own = { ...jsonHeaders(), ...wire.headers, [IDEMPOTENCY_HEADER]: variable('IDEMPOTENCY_KEY') };
  const extra = Object.keys(profile.extraHeaders ?? {}).map((name) => [name, variable(`HEADER_${name}`)] as const);
  const lines = [
    `curl --globoff ${quoted(profile.baseUrl + wire.path)}`,
    ...[...Object.entries(own), ...extra].map(([name, value]) => `-H ${headerWord(name, value)}`),
    `--data-raw ${quoted(plainAscii(JSON.stringify(bareAddressesIn(wire.body))))}`,
  ];
  return lines.join(' \\\n  ');
}

function wireOf(request: StudioRequest, profile: CurlProfile): Wire | undefined {
  const bearer = bearerHeader(variable('API_KEY'));
  switch (request.kind) {
    case 'chat': {
      const form = chatForm(request, uriOf);
      return { path: CHAT_PATH, headers: bearer, body: withExtra(chatBody(form, form.stream), profile, form.model) };
    }
    case 'video':
      return { headers: bearer, ...videoWire(videoForm(request, uriOf), profile) };
    case 'imagine': {
      const family = imageFamily(protocolsOf(profile).image);
      if (family)
        return { path: family.path, headers: bearer, body: withExtra(family.imagine(request), profile, request.model) };
      const { prompt, mode = 'fast' } = request;
      return imageWire(profile, 'imagine', imagineBody({ prompt, mode, hookUrl: hookOf(profile) }));
    }
    case 'edit': {
      // A form with files is not readable as a line.
      if (imageFamily(protocolsOf(profile).image)) return undefined;
      const { base, mask, prompt, timeout } = request;
      const form = {
        baseTaskId: `<the task that made ${named(base)}>`,
        mask: `<${named(mask)} as base64>`,
        ...(prompt === undefined ? {} : { prompt }),
        ...(timeout === undefined ? {} : { timeout }),
      };
      return imageWire(profile, 'edits', editBody({ ...form, hookUrl: hookOf(profile) }, 'mask'));
    }
    default:
      return undefined;
  }
}

function imageWire(profile: CurlProfile, what: 'imagine' | 'edits', body: Record<string, unknown>): Wire {
  const secrets = { apiKey: variable('API_KEY'), botToken: profile.hasBotToken ? variable('BOT_TOKEN') : undefined };
  const { headers } = imageAuth(firstKeyHeader(profile), secrets);
  return { path: imageSubmitPath(profile.imagePrefix, what), headers, body };
}

const hookOf = (profile: CurlProfile): string => `${webhookBaseOf(profile)}/hooks/<job>/<secret>`;

const uriOf = (ref: MediaRef): string => ('uri' in ref ? ref.uri : `<${named(ref)} as a data: address>`);

function named(ref: MediaRef): string {
  if ('uri' in ref) return ref.uri;
  if ('assetId' in ref) return ref.assetId;
  const what = 'frame' in ref ? 'the last frame' : 'result';
  return `${what} ${ref.output === undefined ? '' : `${ref.output + 1} `}of ${ref.jobId}`;
}

/** Marks a variable at the end of a value, in characters that no value contains. */
const VARIABLE = '\u0000$';
const variable = (name: string): string =>
  `${VARIABLE}DAILIES_${[...name.toUpperCase()].map((letter) => (/[A-Z0-9]/.test(letter) ? letter : '_')).join('')}`;

/** A word for a POSIX shell; single quotes disable every special character. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function headerWord(name: string, value: string): string {
  const [plain = '', found] = value.split(VARIABLE);
  return quoted(`${name}: ${plain}`) + (found === undefined ? '' : `"$${found}"`);
}

/** Equal JSON in which everything invisible or bidirectional is escaped. */
const plainAscii = (json: string): string =>
  [...json].map((letter) => (letter >= ' ' && letter <= '~' ? letter : escaped(letter))).join('');

const escaped = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
