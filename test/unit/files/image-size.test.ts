import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findPictureSize } from '../../../src/files/upload-file.ts';

const formats = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const;
const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } });
const encode = (format: (typeof formats)[number]) => picture.clone().toFormat(format).toBuffer();

describe('the size of a picture', () => {
  it.each(formats)('is read from %s', async (format) => {
    expect(findPictureSize(await encode(format), `image/${format}`)).toEqual({ width: 40, height: 20 });
  });

  it('is that after the turn that a camera notes', async () => {
    const turned = await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(findPictureSize(turned, 'image/jpeg')).toEqual({ width: 20, height: 40 });
    const upsideDown = await picture.clone().withMetadata({ orientation: 3 }).jpeg().toBuffer();
    expect(findPictureSize(upsideDown, 'image/jpeg')).toEqual({ width: 40, height: 20 });
  });

  it('is unknown for sizes beyond all numbers, and for none', async () => {
    const png = await encode('png');
    for (const [width, known] of [
      [2 ** 32 - 1, false],
      [0, false],
      [2 ** 31 - 1, true],
    ] as const) {
      png.writeUInt32BE(width, 16);
      expect(findPictureSize(png, 'image/png') !== undefined).toBe(known);
    }
  });

  it.each(formats)('of a truncated or a broken %s is unknown or a number', async (format) => {
    const whole = await encode(format);
    for (let length = 0; length < whole.length; length += 7) {
      const broken = Buffer.from(whole);
      broken.subarray(length, length + 4).fill(0xff);
      for (const bytes of [whole.subarray(0, length), broken]) {
        const size = findPictureSize(bytes, `image/${format}`);
        if (size) expect(size.width > 0 && size.height > 0).toBe(true);
      }
    }
  });

  it('is not looked for in other files', async () => {
    expect(findPictureSize(await encode('png'), 'text/plain')).toBeUndefined();
  });
});
