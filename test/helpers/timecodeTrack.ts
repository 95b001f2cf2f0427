/** A clip with its own timecode track (QuickTime File Format, "Timecode Media"), as cameras and editing programs write it. */
export interface OwnTimecode {
  /** Frames since midnight at the first picture. */
  frame: number;
  /** Frames counted per second. */
  base: number;
  /** The written rate: `scale / duration` frames per second. */
  scale: number;
  duration: number;
  isDrop: boolean;
}

const u16 = (...values: number[]): Buffer => Buffer.from(new Uint16Array(values).buffer).swap16();
const u32 = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer).swap32();
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};
const zeros = (length: number): Buffer => Buffer.alloc(length);

/** Turns the old index into free space and appends the new one, so that no packet moves. */
export function withTimecode(clip: Buffer, own: OwnTimecode): Buffer {
  const moov = topBoxes(clip).find(({ type }) => type === 'moov');
  if (!moov) throw new Error('the clip has no index');
  const kept = Buffer.from(clip);
  kept.write('free', moov.start + 4, 'latin1');
  const index = (at: number) => box('moov', clip.subarray(moov.start + 8, moov.end), track(own, at));
  const sampleAt = clip.length + index(0).length + 8;
  return Buffer.concat([kept, index(sampleAt), box('mdat', u32(own.frame))]);
}

function topBoxes(file: Buffer): { type: string; start: number; end: number }[] {
  const boxes = [];
  for (let start = 0; start + 8 <= file.length; ) {
    const end = start + file.readUInt32BE(start);
    boxes.push({ type: file.toString('latin1', start + 4, start + 8), start, end });
    start = end;
  }
  return boxes;
}

function track({ base, scale, duration, isDrop }: OwnTimecode, sampleAt: number): Buffer {
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const head = box('tkhd', u32(3, 0, 0, 99, 0, 1_000), zeros(16), matrix, zeros(8));
  const handler = box('hdlr', u32(0, 0), Buffer.from('tmcd', 'latin1'), zeros(12), Buffer.from('Timecode\0', 'latin1'));
  const display = box('tcmi', u32(0), u16(0, 0, 12, 0, 0, 0, 0, 0xffff, 0xffff, 0xffff), Buffer.from([0]));
  const general = box('gmhd', box('gmin', u32(0), u16(0x40, 0x8000, 0x8000, 0x8000, 0, 0)), box('tmcd', display));
  const here = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))));
  const entry = box('tmcd', zeros(6), u16(1), u32(0, isDrop ? 1 : 0, scale, duration), Buffer.from([base, 0]));
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stts', u32(0, 1, 1, duration)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    box('stsz', u32(0, 4, 1)),
    box('stco', u32(0, 1, sampleAt)),
  );
  const times = box('mdhd', u32(0, 0, 0, scale, duration), u16(0, 0));
  return box('trak', head, box('mdia', times, handler, box('minf', general, here, table)));
}
