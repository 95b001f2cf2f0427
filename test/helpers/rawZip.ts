import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a zip file, with the false statements of a hostile one. */
export interface RawEntry {
  name: string | Buffer;
  data: Buffer | string;
  packed?: boolean;
  /** False values for the central directory. */
  says?: { bytes?: number; packed?: number; crc?: number; offset?: number; method?: number; localName?: string };
  flags?: number;
  /** Unix mode. */
  mode?: number;
}

const UTF8 = 0x800;

/** Writes a zip file byte by byte, false values included. */
export function rawZip(entries: readonly RawEntry[], { count = entries.length }: { count?: number } = {}): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, data, packed = false, says = {}, flags = UTF8, mode = 0o100644 } of entries) {
    const raw = Buffer.from(data as string);
    const body = packed ? deflateRawSync(raw) : raw;
    const listed = Buffer.from(name as string);
    const local = says.localName === undefined ? listed : Buffer.from(says.localName);
    const shared = Buffer.alloc(22);
    shared.writeUInt16LE(flags, 0);
    shared.writeUInt16LE(says.method ?? (packed ? 8 : 0), 2);
    shared.writeUInt32LE(says.crc ?? crc32(raw), 8);
    shared.writeUInt32LE(says.packed ?? body.length, 12);
    shared.writeUInt32LE(says.bytes ?? raw.length, 16);
    const nameLength = (length: number) => {
      const copy = Buffer.from(shared);
      copy.writeUInt16LE(length, 20);
      return copy;
    };
    parts.push(Buffer.from('504b03041400', 'hex'), nameLength(local.length), Buffer.alloc(2), local, body);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE((mode << 16) >>> 0, 8);
    tail.writeUInt32LE(says.offset ?? at, 12);
    list.push(Buffer.from('504b0102140314 00'.replace(' ', ''), 'hex'), nameLength(listed.length), tail, listed);
    at += 30 + local.length + body.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
