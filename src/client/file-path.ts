/**
 * The addresses of files and of variants of pictures.
 */

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
