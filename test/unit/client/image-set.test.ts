/** The attributes of an `<img>` for a picture and its variants. */
import { expect, it } from 'vitest';
import { fileVariables } from '../../../src/app/config/variable-kinds.ts';
import { imageSet } from '../../../src/client/image-set.ts';

const url = 'https://cms.example.com/files/abc/engine.jpg';
const picture = { url, width: 1000, height: 500 };

it('offers the widths up to that of the picture, which the server never enlarges', () => {
  expect(imageSet(picture, { widths: [1280, 320, 640, 1920, 320] })).toEqual({
    src: `${url}?w=1280`,
    srcSet: `${url}?w=320 320w, ${url}?w=640 640w, ${url}?w=1280 1000w`,
    width: 1000,
    height: 500,
  });
  expect(imageSet({ ...picture, width: 640 }, { widths: [320, 640], format: 'webp' }).srcSet).toBe(
    `${url}?w=320&f=webp 320w, ${url}?w=640&f=webp 640w`,
  );
  expect(imageSet(picture, { widths: [160] })).toMatchObject({
    src: `${url}?w=160`,
    srcSet: `${url}?w=160 160w`,
  });
});

it('offers the default sizes of the server', () => {
  const { srcSet = '' } = imageSet({ ...picture, width: 10_000 });
  const offered = [...srcSet.matchAll(/w=(\d+)/g)].map(([, width]) => Number(width));
  expect(offered).toEqual(fileVariables.COLOPHON_IMAGE_SIZES.fallback);
});

it('has the address alone of a file without variants', () => {
  expect(imageSet({ url, width: null, height: null })).toEqual({ src: url });
  expect(imageSet({ ...picture, mediaType: 'image/bmp' })).toEqual({ src: url, width: 1000, height: 500 });
  expect(imageSet({ ...picture, mediaType: 'image/png' }).srcSet).toBeDefined();
  expect(imageSet(picture, { widths: [] })).toEqual({ src: url, width: 1000, height: 500 });
});

it('refuses what cannot be an address or a width', () => {
  expect(() => imageSet({ ...picture, url: `${url}?w=640` })).toThrow('without a variant');
  expect(() => imageSet(picture, { widths: [0.5] })).toThrow(
    'widths must be whole numbers of pixels, not 0.5',
  );
});
