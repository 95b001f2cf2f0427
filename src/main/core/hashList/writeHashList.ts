import { createHash } from 'node:crypto';
import { HASH_LIST_FOLDER } from '../../../shared/hashListFolder.ts';
import { bytesOfC4, c4OfHex } from './c4.ts';

/**
 * The hash list of a folder as ASC MHL 2.0 has it (github.com/ascmitc/mhl, `xsd/ASCMHL.xsd`; the hashes of folders as its `hasher.py` makes
 * them): a list of all files, and a chain that names the list by its own hash.
 */

export const CHAIN_FILE = 'ascmhl_chain.xml';
/** Names that no list holds. */
const IGNORED = ['.DS_Store', 'ascmhl', 'ascmhl/'];

export interface HashedFile {
  /** Below the folder; `/` separates folders. */
  name: string;
  bytes: number;
  c4: string;
}

export interface ListedFolder {
  /** Of the folder. */
  name: string;
  /** Of the program that made it. */
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

export const c4OfText = (text: string | Uint8Array): string => c4OfHex(createHash('sha512').update(text).digest('hex'));

/** `2026-12-02_074100Z` */
const stampOf = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '').concat('Z');
const dateOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;

/** A chain of one list: `name` is that of its file. */
export const chainXml = (name: string, c4: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">
  <hashlist sequencenr="1">
    <path>${escapeXml(name)}</path>
    <c4>${c4}</c4>
  </hashlist>
</ascmhldirectory>
`;

/** The name of the list's file in a chain; empty where there is none. */
export const readListName = (chain: string): string => unescapeXml(/<path>([^<]*)<\/path>/.exec(chain)?.[1] ?? '');

const ENTRY = /<path size="(\d{1,15})">([^<]*)<\/path>\s*<c4 action="original" hashdate="[^"]*">(\w{90})<\/c4>/g;

/** The files of a list as {@link hashListOf} writes it. */
export const readEntries = (list: string): HashedFile[] =>
  Array.from(list.matchAll(ENTRY), ([, size, name = '', c4 = '']) => ({
    name: unescapeXml(name),
    bytes: Number(size),
    c4,
  }));

function manifestXml({ version, at, files }: ListedFolder): string {
  const date = dateOf(at);
  const root = treeOf(files);
  const { content, structure } = hashesOf(root);
  const hash = (c4: string, more = ''): string => `<c4${more} hashdate="${date}">${c4}</c4>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0">',
    '  <creatorinfo>',
    `    <creationdate>${date}</creationdate>`,
    // The name of the user's machine is nobody's business.
    '    <hostname>localhost</hostname>',
    `    <tool version="${escapeXml(version)}">Dailies</tool>`,
    '  </creatorinfo>',
    '  <processinfo>',
    '    <process>transfer</process>',
    '    <roothash>',
    `      <content>${hash(content)}</content>`,
    `      <structure>${hash(structure)}</structure>`,
    '    </roothash>',
    '    <ignore>',
    ...IGNORED.map((pattern) => `      <pattern>${pattern}</pattern>`),
    '    </ignore>',
    '  </processinfo>',
    '  <hashes>',
    ...entriesOf(root, '', hash),
    '  </hashes>',
    '</hashlist>',
    '',
  ].join('\n');
}

interface Folder {
  files: Map<string, HashedFile>;
  folders: Map<string, Folder>;
}

const emptyFolder = (): Folder => ({ files: new Map(), folders: new Map() });

function treeOf(files: readonly HashedFile[]): Folder {
  const root = emptyFolder();
  for (const file of files) {
    const parts = file.name.split('/');
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      const inner = folder.folders.get(part) ?? emptyFolder();
      folder.folders.set(part, inner);
      folder = inner;
    }
    folder.files.set(parts.at(-1) ?? '', file);
  }
  return root;
}

type WriteHash = (c4: string, more?: string) => string;

/** Files and folders in the order of their names; a folder stands behind what is in it. */
function entriesOf(folder: Folder, path: string, hash: WriteHash): string[] {
  return namesOf(folder).flatMap((name) => {
    const full = `${path}${name}`;
    const inner = folder.folders.get(name);
    if (inner) return [...entriesOf(inner, `${full}/`, hash), ...folderEntry(full, inner, hash)];
    const file = folder.files.get(name);
    return [
      '    <hash>',
      `      <path size="${file?.bytes ?? 0}">${escapeXml(full)}</path>`,
      `      ${hash(file?.c4 ?? '', ' action="original"')}`,
      '    </hash>',
    ];
  });
}

function folderEntry(full: string, inner: Folder, hash: WriteHash): string[] {
  const { content, structure } = hashesOf(inner);
  return [
    '    <directoryhash>',
    `      <path>${escapeXml(full)}</path>`,
    `      <content>${hash(content)}</content>`,
    `      <structure>${hash(structure)}</structure>`,
    '    </directoryhash>',
  ];
}

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const namesOf = ({ files, folders }: Folder): string[] => [...files.keys(), ...folders.keys()].sort(byCode);

/** Of what a folder holds: its bytes alone, and with the names. */
function hashesOf(folder: Folder): { content: string; structure: string } {
  const contents: string[] = [];
  const structures: string[] = [];
  for (const name of namesOf(folder)) {
    const inner = folder.folders.get(name);
    const file = folder.files.get(name)?.c4 ?? '';
    const hashes = inner ? hashesOf(inner) : { content: file, structure: file };
    contents.push(hashes.content);
    structures.push(
      c4OfText(Buffer.concat([Buffer.from(name, 'utf8'), bytesOfC4(hashes.structure) ?? Buffer.alloc(0)])),
    );
  }
  return { content: hashOfList(contents), structure: hashOfList(structures) };
}

const hashOfList = (ids: readonly string[]): string =>
  c4OfText(Buffer.concat([...ids].sort(byCode).map((id) => bytesOfC4(id) ?? Buffer.alloc(0))));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
const unescapeXml = (text: string): string =>
  text.replace(
    /&(?:amp|lt|gt|quot);/g,
    (entity) => Object.keys(ENTITIES).find((sign) => ENTITIES[sign] === entity) ?? '',
  );
