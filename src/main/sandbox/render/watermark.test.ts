import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { fitPicture } from './picture.ts';
import { drawStill, paintStill } from './still.ts';
import { findWatermark } from './watermark.ts';
import { toYuv } from './yuv.ts';

const STILL = { width: 640, height: 360, prompt: 'open sea', seed: 3, version: '7', label: 'open sea  ·  seed 3' };

describe('the watermark', () => {
  it('is found on our pictures only, also after another program has re-encoded them', async () => {
    const png = drawStill(STILL);
    expect(findWatermark(await fitPicture(png, 640, 360))).toMatchObject({ x: 0 });
    const copy = createCanvas(960, 540);
    copy.getContext('2d').drawImage(await loadImage(png), 0, 0, 960, 540);
    expect(findWatermark(await fitPicture(copy.toBuffer('image/jpeg', 80), 640, 360))).not.toBeNull();
    expect(findWatermark(paintStill(STILL).canvas)).toBeNull();
  });
});

describe('colour', () => {
  it('is BT.709 in limited range, as players assume for high definition', () => {
    const luma = (red: number, green: number, blue: number) => {
      const yuv = new Uint8Array(6);
      toYuv(Uint8Array.from(Array(4).fill([red, green, blue, 255]).flat()), 2, 2, yuv);
      return [yuv[0], yuv[4], yuv[5]];
    };
    expect(luma(0, 0, 0)).toEqual([16, 128, 128]);
    expect(luma(255, 255, 255)).toEqual([235, 128, 128]);
    expect(luma(255, 0, 0)).toEqual([63, 102, 240]);
    expect(luma(0, 0, 255)).toEqual([32, 240, 118]);
  });
});
