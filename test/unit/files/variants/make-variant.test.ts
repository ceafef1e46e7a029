/** Making variants of pictures: what happens when the bytes of the picture end early or cannot be read. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { isDamagedFile } from '../../../../src/base/errors.ts';
import { createVariantMaker } from '../../../../src/files/variants/picture-variant.ts';

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#f00', noise } })
  .jpeg()
  .toBuffer();
const toHash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const file = {
  hash: toHash(picture),
  key: 'picture',
  name: 'a.jpg',
  mediaType: 'image/jpeg',
  bytes: picture.length,
  width: 800,
  height: 600,
  uploadedAt: 0,
};
const variant = { width: 100, height: undefined, fit: 'cover', format: 'webp' } as const;

it('rejects with the error of a place that fails in the middle of a picture', async () => {
  async function* read() {
    yield picture.subarray(0, 1000);
    throw new Error('the place does not answer');
  }
  const source = Readable.from(read(), { objectMode: false });
  await expect(createVariantMaker()(source, file, variant)).rejects.toThrow('the place does not answer');
});

it('rejects with an error of the store for a picture whose bytes are not those that were uploaded', async () => {
  const source = Readable.from([picture.subarray(0, 1000)]);
  await expect(createVariantMaker()(source, file, variant)).rejects.toSatisfy(isDamagedFile);
});

it('refuses a picture that was uploaded without its end', async () => {
  const part = picture.subarray(0, 1000);
  const uploaded = { ...file, hash: toHash(part), bytes: part.length };
  await expect(createVariantMaker()(Readable.from([part]), uploaded, variant)).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
});
