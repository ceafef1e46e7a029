/**
 * The addresses of files and of variants of pictures, and the attributes of an `<img>` that lets the browser choose among variants.
 */

/** A picture as queries return it: a field of the type `File` with its `url`. */
export interface ImageSetFile {
  /** The address of the file, without a variant. */
  url: string;
  mediaType?: string | null | undefined;
  width?: number | null | undefined;
  height?: number | null | undefined;
}

/** Which variants of a picture to offer. */
export interface ImageSetOptions {
  /** Widths in pixels, of those that the server has (`COLOPHON_IMAGE_SIZES`); its default sizes unless given. */
  widths?: readonly number[] | undefined;
  /** The format of the variants; that of the picture unless given. */
  format?: PictureVariant['format'];
}

/** Attributes of an `<img>`. `width` and `height` are those of the picture, so that the page keeps its place free. */
export interface ImageSet {
  src: string;
  srcSet?: string;
  width?: number;
  height?: number;
}

/** The default of `COLOPHON_IMAGE_SIZES`. */
const defaultWidths = [160, 320, 640, 960, 1280, 1920, 2560];

/** The media types of which the server makes variants. */
const variantTypes = /^image\/(jpeg|png|gif|webp|avif)$/;

/**
 * Returns the attributes of an `<img>` for a picture. The server never enlarges, so widths beyond that of the picture are left out. A file
 * without a known size, such as SVG, has `src` alone. Throws a RangeError for an invalid width, a TypeError for the address of a variant.
 */
export function imageSet(
  { url, mediaType, width, height }: ImageSetFile,
  { widths = defaultWidths, format }: ImageSetOptions = {},
): ImageSet {
  if (url.includes('?'))
    throw new TypeError(`url must be the address of a file without a variant, not ${url}`);
  const wrong = widths.find((one) => !Number.isInteger(one) || one < 1);
  if (wrong !== undefined) throw new RangeError(`widths must be whole numbers of pixels, not ${wrong}`);
  if (!width || !height) return { src: url };
  const hasVariants = mediaType ? variantTypes.test(mediaType) : true;
  const offered = hasVariants ? chooseWidths(widths, width) : [];
  const addressOf = (one: number) => `${url}?w=${one}${format ? `&f=${format}` : ''}`;
  const largest = offered.at(-1);
  if (largest === undefined) return { src: url, width, height };
  const srcSet = offered.map((one) => `${addressOf(one)} ${Math.min(one, width)}w`).join(', ');
  return { src: addressOf(largest), srcSet, width, height };
}

/** Returns the widths below that of the picture, and the next one, which the server answers in the picture's own width. */
function chooseWidths(widths: readonly number[], ownWidth: number): number[] {
  const sorted = [...new Set(widths)].sort((one, other) => one - other);
  const next = sorted.findIndex((one) => one >= ownWidth);
  return next === -1 ? sorted : sorted.slice(0, next + 1);
}

/** What an address needs of a file. */
export interface FileReference {
  hash: string;
  name: string;
}

/** A variant of a picture: a width and a height in pixels, of those that the server has, and a format. */
export interface PictureVariant {
  width?: number | undefined;
  height?: number | undefined;
  /** Whether the picture covers both measures and is cut, or is contained in them whole; `cover` unless given. */
  fit?: 'cover' | 'contain' | undefined;
  format?: 'webp' | 'avif' | 'jpeg' | 'png' | undefined;
}

/** Returns the path of a file below the address of its server, with the query of a variant. */
export function toFilePath({ hash, name }: FileReference, variant: PictureVariant = {}): string {
  const { width: w, height: h, fit, format: f } = variant;
  const given = Object.entries({ w, h, fit, f }).filter(([, value]) => value !== undefined);
  const query = given.map(([parameter, value]) => `${parameter}=${value}`).join('&');
  return `/files/${hash}/${encodeURIComponent(name)}${query === '' ? '' : `?${query}`}`;
}
