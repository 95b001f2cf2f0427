import { BufferTarget, CanvasSource, Mp4OutputFormat, Output, QUALITY_MEDIUM } from 'mediabunny';

/** A real clip from two stills: the first melts into the second. Returns an object URL. */
export async function clipOf(head: string, tail: string, seconds: number): Promise<string> {
  const [from, to] = await Promise.all([pictureOf(head), pictureOf(tail)]);
  const canvas = new OffscreenCanvas(1280, 720);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const source = new CanvasSource(canvas, { codec: 'avc', bitrate: QUALITY_MEDIUM });
  output.addVideoTrack(source, { frameRate: 24 });
  await output.start();
  const frames = seconds * 24;
  for (let frame = 0; frame < frames; frame++) {
    const share = frame / (frames - 1);
    draw(context, from, 1, 1 + share * 0.06);
    draw(context, to, Math.max(0, (share - 0.5) * 2), 1 + share * 0.06);
    context.fillStyle = '#fff';
    context.font = '22px monospace';
    context.fillText(`frame ${frame}`, 24, 700);
    await source.add(frame / 24, 1 / 24);
  }
  await output.finalize();
  return URL.createObjectURL(new Blob([output.target.buffer ?? new ArrayBuffer(0)], { type: 'video/mp4' }));
}

async function pictureOf(name: string): Promise<ImageBitmap> {
  const response = await fetch(`/stills/${name}.webp`);
  return createImageBitmap(await response.blob());
}

function draw(context: OffscreenCanvasRenderingContext2D, picture: ImageBitmap, alpha: number, scale: number): void {
  const cover = Math.max(1280 / picture.width, 720 / picture.height) * scale;
  context.globalAlpha = alpha;
  context.drawImage(
    picture,
    640 - (picture.width * cover) / 2,
    360 - (picture.height * cover) / 2,
    picture.width * cover,
    picture.height * cover,
  );
  context.globalAlpha = 1;
}
