/**
 * Makes variants of pictures with sharp, an optional peer of Colophon, which is loaded for the first one.
 *
 * Its decoders run on separate threads, few at a time, and know only the formats of pictures with variants. The bytes of a picture are read
 * before they are decoded, because a decoder that is a stream keeps all of them as well, and ends the process when its source fails.
 */
import type { Readable } from 'node:stream';
import { invalidParameter, notSupported } from '../../base/errors.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import { readIntact } from '../recorded-bytes.ts';
import { type PictureVariant, toTargetSize } from './picture-variant.ts';

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

/** Creates the function. */
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
