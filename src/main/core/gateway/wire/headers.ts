import type { Service } from '../service.ts';

/** Headers of a request, and the secrets that go with it (spec 5). */
export type Headers = Record<string, string>;

export function jsonHeaders(): Headers {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream;q=0.9, */*;q=0.1',
    'user-agent': 'Dailies',
  };
}

export const plainHeaders = (): Headers => ({ accept: '*/*', 'user-agent': 'Dailies' });

/** `Authorization: Bearer` (spec 5.2). */
export function bearer(service: Service): Headers {
  const key = service.secrets.apiKey;
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** A spelling of the image endpoints' key header, and the header it makes. */
export interface ImageAuth {
  name?: string;
  headers: Headers;
}

/**
 * The spellings to try for images, the one that worked first (spec 5.3). `Authorization` means its Bearer form. A bot token would
 * take that header's place, so it goes only with a key header of another name.
 */
export function imageAuths(service: Service): ImageAuth[] {
  const key = service.secrets.apiKey;
  if (key === undefined) return [{ headers: {} }];
  const known = service.memory().imageAuthHeader;
  const listed = service.profile.imageAuthHeaders;
  const names =
    known !== undefined && listed.includes(known) ? [known, ...listed.filter((name) => name !== known)] : listed;
  const bot = service.secrets.botToken;
  return (names.length > 0 ? names : ['Authorization']).map((name) => {
    if (name.toLowerCase() === 'authorization') return { name, headers: bearer(service) };
    return {
      name,
      headers: { [name]: key, ...(bot === undefined ? {} : { authorization: `Bot ${bot}` }) },
    };
  });
}
