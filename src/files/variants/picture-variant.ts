/**
 * Variants of pictures: which one a request asks for, and the pixels that it has.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import { type FileFit, type FileFormat, fileFits, fileFormats, hasVariants } from '../../text/file-url.ts';

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
export function toTargetSize(
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
