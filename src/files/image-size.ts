/**
 * The size of a picture from the first bytes of its file, as it is shown: with the orientation that cameras note.
 */
import { imageSize } from 'image-size';

/** The width and the height of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The types whose size is read, and from how many bytes. The parts of an AVIF file can be nested so that reading them takes quadratic time,
 * but its size stands at its beginning.
 */
const readBytes: Readonly<Record<string, number>> = {
  'image/png': 64,
  'image/apng': 64,
  'image/gif': 64,
  'image/webp': 64,
  'image/bmp': 64,
  'image/avif': 16_384,
  'image/heic': 16_384,
  'image/jpeg': 262_144,
};

/** Returns from how many of the first bytes of a file its size can be read; 0 for a type without a known size. */
export const sizeBytesOf = (mediaType: string): number => readBytes[mediaType] ?? 0;

/** The largest number that a record can hold. */
const maxPixels = 2 ** 31 - 1;

/** Finds the size of a picture; `undefined` when the bytes do not tell it. */
export function findPictureSize(head: Uint8Array, mediaType: string): PictureSize | undefined {
  const bytes = head.subarray(0, sizeBytesOf(mediaType));
  if (bytes.length === 0) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!isPixels(width) || !isPixels(height)) return undefined;
    const isTurned = orientation >= 5 || isRotatedBox(bytes);
    return isTurned ? { width: height, height: width } : { width, height };
  } catch {
    // The library throws errors of several classes for broken files.
    return undefined;
  }
}

const isPixels = (value: number) => Number.isInteger(value) && value > 0 && value <= maxPixels;

/** Whether an AVIF or HEIC file is shown after a turn by 90 or 270 degrees. */
function isRotatedBox(bytes: Uint8Array): boolean {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(
    '\0\0\0\x09irot',
    0,
    'latin1',
  );
  return box >= 0 && ((bytes[box + 8] ?? 0) & 1) === 1;
}
