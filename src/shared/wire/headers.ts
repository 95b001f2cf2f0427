/** Headers of a request, secrets included (spec 5). */
export type Headers = Record<string, string>;

export function jsonHeaders(): Headers {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream;q=0.9, */*;q=0.1',
    'user-agent': 'Dailies',
  };
}

export const plainHeaders = (): Headers => ({ accept: '*/*', 'user-agent': 'Dailies' });

export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** `Authorization: Bearer` (spec 5.2). */
export const bearerHeader = (apiKey: string): Headers => ({ authorization: `Bearer ${apiKey}` });

/** A header name for the key of image endpoints, and the resulting headers. */
export interface ImageAuth {
  name?: string;
  headers: Headers;
}

/**
 * One of the profile's header names with the key (spec 5.3). `Authorization` uses the Bearer form. A bot token needs that header itself, so
 * it is sent only if the key has another header.
 */
export function imageAuth(
  name: string,
  { apiKey, botToken }: { apiKey: string; botToken?: string | undefined },
): ImageAuth {
  if (name.toLowerCase() === 'authorization') return { name, headers: bearerHeader(apiKey) };
  return { name, headers: { [name]: apiKey, ...(botToken === undefined ? {} : { authorization: `Bot ${botToken}` }) } };
}

export const CHAT_PATH = '/v1/chat/completions';
