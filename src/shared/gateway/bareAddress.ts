/**
 * Addresses as they may leave this machine: without query (`X-Amz-Signature`, `sig`, `token`), fragment and user-info, by which a presigned
 * address gives access to whoever has it. Scheme, host and path stay.
 */

/** An address ends at characters that none contains unescaped (RFC 3986, appendix C). */
const WORDS = /[^\s"<>`]+/g;
/** At the end of an address these belong to the sentence. */
const CLOSING = ".,;:!?)]}'*_";

/** The text with bare addresses only. */
export const withBareAddresses = (text: string): string => (/[?#@]/.test(text) ? text.replace(WORDS, bareWord) : text);

/** Any address without query, fragment and user-info. */
export const bareAddress = (uri: string): string => cut(withoutUserInfo(uri));

/** The value with bare addresses in all its texts. */
export function bareAddressesIn<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown, key?: string): unknown {
  if (typeof value === 'string') return key === 'uri' ? bareAddress(value) : withBareAddresses(value);
  if (Array.isArray(value)) return value.map((one) => cleaned(one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one, name)]));
}

function bareWord(word: string): string {
  if (!isAddress(word)) return word;
  const end = endOf(word);
  return bareAddress(word.slice(0, end)) + word.slice(end);
}

/** With or without a scheme: a host with a dot, a path, and a query with a name. */
function isAddress(word: string): boolean {
  if (word.includes('://')) return true;
  const path = word.indexOf('/');
  const query = word.indexOf('?');
  return path > 0 && query > path && word.lastIndexOf('.', path) > 0 && word.includes('=', query);
}

function endOf(word: string): number {
  let end = word.length;
  while (end > 0 && CLOSING.includes(word[end - 1] ?? '')) end -= 1;
  return end;
}

function cut(address: string): string {
  const end = address.search(/[?#]/);
  return end < 0 ? address : address.slice(0, end);
}

/** In every authority: a path may contain a second address. */
function withoutUserInfo(address: string): string {
  const [first = '', ...rest] = address.split('//');
  return [first, ...rest.map(hostAndAfter)].join('//');
}

function hostAndAfter(text: string): string {
  const path = text.search(/[/\\?#]/);
  const authority = path < 0 ? text : text.slice(0, path);
  return text.slice(authority.lastIndexOf('@') + 1);
}
