import { createHash } from 'node:crypto';
import { HASH_LIST_FOLDER } from '../../../shared/library/libraryFolder.ts';

/**
 * The hash list of a folder in ASC MHL 2.0 (github.com/ascmitc/mhl, `xsd/ASCMHL.xsd`): a list of all files, and a chain that names the list
 * by its hash.
 */

export const CHAIN_FILE = 'ascmhl_chain.xml';

export interface HashedFile {
  /** Relative to the folder; `/` separates folders. */
  name: string;
  bytes: number;
  c4: string;
}

export interface ListedFolder {
  name: string;
  version: string;
  /** Milliseconds since 1970. */
  at: number;
  files: readonly HashedFile[];
}

/** The two files of a hash list, by their names below the folder. */
export function hashListOf(folder: ListedFolder): { name: string; text: string }[] {
  const path = `0001_${folder.name}_${stampOf(folder.at)}.mhl`;
  const text = manifestXml(folder);
  return [
    { name: `${HASH_LIST_FOLDER}/${path}`, text },
    { name: `${HASH_LIST_FOLDER}/${CHAIN_FILE}`, text: chainXml(path, c4OfText(text)) },
  ];
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The C4 id (SMPTE ST 2114) of a hexadecimal SHA-512, in base 58. */
export function c4OfHex(hex: string): string {
  let text = '';
  for (let rest = BigInt(`0x${hex}`); rest > 0n; rest /= 58n) text = DIGITS[Number(rest % 58n)] + text;
  return `c4${text.padStart(88, '1')}`;
}

export const c4OfText = (text: string | Uint8Array): string => c4OfHex(createHash('sha512').update(text).digest('hex'));

/** `2026-12-02_074100Z` */
const stampOf = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '').concat('Z');
const dateOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;

/** A chain of one list; `name`: the list's file. */
export const chainXml = (name: string, c4: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">
  <hashlist sequencenr="1">
    <path>${escapeXml(name)}</path>
    <c4>${c4}</c4>
  </hashlist>
</ascmhldirectory>
`;

/** The list's file name in a chain; empty without one. */
export const readListName = (chain: string): string => unescapeXml(/<path>([^<]*)<\/path>/.exec(chain)?.[1] ?? '');

/** Whether another program wrote the list or extended the chain. */
export const isForeign = (chain: string, list: string): boolean =>
  !list.includes('>Dailies</tool>') || chain.split('<hashlist').length > 2;

const ENTRY = /<path size="(\d{1,15})">([^<]*)<\/path>\s*<c4 action="original" hashdate="[^"]*">(\w{90})<\/c4>/g;

/** The files of a list written by {@link hashListOf}. */
export const readEntries = (list: string): HashedFile[] =>
  Array.from(list.matchAll(ENTRY), ([, size, name = '', c4 = '']) => ({
    name: unescapeXml(name),
    bytes: Number(size),
    c4,
  }));

// The name of the user's machine is private.
function manifestXml({ version, at, files }: ListedFolder): string {
  const date = dateOf(at);
  const entries = files.map(
    ({ name, bytes, c4 }) => `    <hash>
      <path size="${bytes}">${escapeXml(name)}</path>
      <c4 action="original" hashdate="${date}">${c4}</c4>
    </hash>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0">
  <creatorinfo>
    <creationdate>${date}</creationdate>
    <hostname>localhost</hostname>
    <tool version="${escapeXml(version)}">Dailies</tool>
  </creatorinfo>
  <processinfo>
    <process>transfer</process>
    <ignore>
      <pattern>.DS_Store</pattern>
      <pattern>ascmhl</pattern>
      <pattern>ascmhl/</pattern>
    </ignore>
  </processinfo>
  <hashes>
${entries.join('')}  </hashes>
</hashlist>
`;
}

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d{1,3})|(amp|lt|gt|quot|apos));/g, (_, code, name) => NAMED[name] ?? String.fromCharCode(code));
