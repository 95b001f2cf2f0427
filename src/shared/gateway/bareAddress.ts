/**
 * Addresses as they may leave this machine: a presigned one opens a file for whoever has it, by what stands in its query
 * (`X-Amz-Signature`, `sig`, `token`), its fragment or its user-info. Scheme, host and path stay.
 */

/** What no address holds unescaped (RFC 3986, appendix C), so an address in a text ends there. */
const WORDS = /[^\s"<>`]+/g;
/** A sign of the sentence, not of the address, at its end. */
const CLOSING = ".,;:!?)]}'*_";

/** A text in which no address has a query, a fragment or user-info. */
export const withBareAddresses = (text: string): string => (/[?#@]/.test(text) ? text.replace(WORDS, bareWord) : text);

/** Whatever it is written as: scheme, host and path of one address. */
export const bareAddress = (uri: string): string => cut(withoutUserInfo(uri));

/** The same value with no such address in any of its texts. */
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

/** Also one without its scheme: a host with a dot, a path, and a query that names something. */
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

/** Of every authority in it: a path may hold a second address. */
function withoutUserInfo(address: string): string {
  const [first = '', ...rest] = address.split('//');
  return [first, ...rest.map(hostAndAfter)].join('//');
}

function hostAndAfter(text: string): string {
  const path = text.search(/[/\\?#]/);
  const authority = path < 0 ? text : text.slice(0, path);
  return text.slice(authority.lastIndexOf('@') + 1);
}
