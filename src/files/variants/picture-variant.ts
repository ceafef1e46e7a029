/**
 * Variants of pictures: which one a request asks for, and the pixels that it has.
 */

import type { Readable } from 'node:stream';
import { invalidParameter, notSupported } from '../../base/errors.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import { type FileFit, type FileFormat, fileFits, fileFormats, hasVariants } from '../../text/file-url.ts';
import { readIntact } from '../recorded-bytes.ts';

/** A variant that can be made. Without a width and a height, the picture keeps its size. */
export interface PictureVariant {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fit: FileFit;
  readonly format: FileFormat | 'gif';
}

/** Pictures with more pixels or bytes have no variants, because decoding them takes too much memory. */
const maxPixels = 64_000_000;
const maxSourceBytes = 67_108_864;

/** The parameters of a query; lists are those that are given more than once. */
type Query = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads the variant that the parameters of an address ask for; `undefined` without any. Errors: invalid_parameter for an unknown one, a size
 * that no variant has, and a file that has no variants.
 */
export function readVariant(
  query: Query,
  file: FileRecord,
  sizes: readonly number[],
): PictureVariant | undefined {
  const names = Object.keys(query);
  const unknown = names.find((name) => !['w', 'h', 'fit', 'f'].includes(name));
  if (unknown !== undefined) throw invalidParameter(unknown, 'is not a parameter of files');
  const [first] = names;
  if (first === undefined) return undefined;
  assertVariable(first, file);
  const [width, height] = [readSize('w', query.w, sizes), readSize('h', query.h, sizes)];
  const fit = readWord('fit', query.fit, fileFits) ?? 'cover';
  // The media types of pictures with variants end with the names of their formats.
  const own = file.mediaType.slice('image/'.length) as PictureVariant['format'];
  return { width, height, fit, format: readWord('f', query.f, fileFormats) ?? own };
}

function assertVariable(name: string, { mediaType, bytes, width = 0, height = 0 }: FileRecord): void {
  if (!hasVariants(mediaType)) throw invalidParameter(name, `is for pictures, and this file is ${mediaType}`);
  if (width * height === 0)
    throw invalidParameter(name, 'is for pictures that can be read, and this one cannot');
  if (width * height > maxPixels || bytes > maxSourceBytes)
    throw invalidParameter(
      name,
      `is for pictures of at most ${maxPixels} pixels and ${maxSourceBytes} bytes`,
    );
}

function readSize(
  name: string,
  text: Query[string] | undefined,
  sizes: readonly number[],
): number | undefined {
  if (text === undefined) return undefined;
  const size = sizes.find((one) => String(one) === text);
  if (size === undefined) throw invalidParameter(name, `must be one of ${sizes.join(', ')}`);
  return size;
}

function readWord<Word extends string>(
  name: string,
  text: Query[string] | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((one) => one === text);
  if (word === undefined && text !== undefined)
    throw invalidParameter(name, `must be one of ${words.join(', ')}`);
  return word;
}

/** Returns a text that names a variant among all of its picture, and that a file can have as its name. */
export const variantName = ({ width = 0, height = 0, fit, format }: PictureVariant): string =>
  `${width}x${height}${width > 0 && height > 0 ? `-${fit}` : ''}.${format}`;

/** Returns the pixels of a variant, never more than those of the picture; a missing one follows from the other. */
function toTargetSize(
  { width: w = Infinity, height: h = Infinity, fit }: PictureVariant,
  { width: ownWidth = 1, height: ownHeight = 1 }: Pick<FileRecord, 'width' | 'height'>,
): { readonly width: number; readonly height: number } {
  const toPixels = (value: number) => Math.max(1, Math.round(value));
  if (fit === 'cover' && w < Infinity && h < Infinity) {
    const scale = Math.min(1, ownWidth / w, ownHeight / h);
    return { width: toPixels(w * scale), height: toPixels(h * scale) };
  }
  const scale = Math.min(1, w / ownWidth, h / ownHeight);
  return { width: toPixels(ownWidth * scale), height: toPixels(ownHeight * scale) };
}

// Makes variants of pictures with sharp, an optional peer of Colophon, which is loaded for the first one.
//
// Its decoders run on separate threads, few at a time, and know only the formats of pictures with variants. The bytes of a picture are read
// before they are decoded, because a decoder that is a stream keeps all of them as well, and ends the process when its source fails.

/**
 * Makes the bytes of a variant. Errors: not_supported without sharp, invalid_parameter for a picture that cannot be decoded, that of
 * `damagedFile` when the bytes of the picture are not those that were uploaded, and those of its stream.
 */
export type MakeVariant = (source: Readable, file: FileRecord, variant: PictureVariant) => Promise<Buffer>;

/** What sharp may read. The names are those of its library. */
const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`);

/** A picture that takes longer is given up. */
const maxSeconds = 30;

/** The quality of each format, and how much work goes into its compression. */
const encodings = {
  avif: { quality: 55, effort: 2 },
  gif: { effort: 4 },
  jpeg: { quality: 80, progressive: true },
  png: { compressionLevel: 8 },
  webp: { quality: 80 },
} as const satisfies Record<PictureVariant['format'], object>;

export function createVariantMaker(): MakeVariant {
  let loaded: ReturnType<typeof loadSharp> | undefined;
  return async (source, file, variant) => {
    loaded ??= loadSharp();
    const sharp = await loaded.catch((error: unknown) => {
      source.destroy();
      throw error;
    });
    const { width, height } = toTargetSize(variant, file);
    const decoder = sharp(await readIntact(source, file), {
      limitInputPixels: pixelsOf(file),
      failOn: 'error',
      autoOrient: true,
    })
      .resize(width, height, { fit: 'cover' })
      .timeout({ seconds: maxSeconds });
    const opaque = variant.format === 'jpeg' ? decoder.flatten({ background: '#ffffff' }) : decoder;
    try {
      return await opaque.toFormat(variant.format, encodings[variant.format]).toBuffer();
    } catch (error) {
      throw invalidParameter('The picture', `cannot be decoded: ${reasonOf(error)}`);
    }
  };
}

/** A decoder refuses a picture with more pixels than its record says, whatever the rest of its bytes claim. */
const pixelsOf = ({ width = 0, height = 0 }: FileRecord) => width * height;

async function loadSharp() {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: loaders });
    return sharp;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw notSupported(
      'Variants of pictures need a package that is not installed here: npm install sharp@0.35',
    );
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(error.code));

/** The first line of an error, which says what is wrong with the picture. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
