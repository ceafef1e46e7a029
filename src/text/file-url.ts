/**
 * The addresses of files: `/files/<hash>/<name>`, with parameters for a variant of a picture. The server and the admin UI share them.
 */

/** The part of a value of the type `File` that its address needs. */
export interface AddressedFile {
  readonly hash: string;
  readonly name: string;
  readonly mediaType: string;
}

/** How a picture is scaled to a width and a height: to cover them and be cut, or to be contained in them whole. */
export const fileFits = ['cover', 'contain'] as const;
export type FileFit = (typeof fileFits)[number];

/** The formats that a variant of a picture can have. */
export const fileFormats = ['webp', 'avif', 'jpeg', 'png'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** A variant of a picture; without any member, the picture itself. Width and height are in pixels. */
export interface FileVariant {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Absent means `cover`. Counts only with both a width and a height. */
  readonly fit?: FileFit | undefined;
  /** Absent means the format of the picture. */
  readonly format?: FileFormat | undefined;
}

/** The media types of pictures that have variants. */
const variedTypes: ReadonlySet<string> = new Set(
  ['jpeg', 'png', 'gif', 'webp', 'avif'].map((format) => `image/${format}`),
);

/** Tells whether files of a media type have variants. */
export const hasVariants = (mediaType: string): boolean => variedTypes.has(mediaType);

/** Returns the path and the parameters of the address of a file. Files that have no variants, such as vector graphics, ignore `variant`. */
export function toFilePath({ hash, name, mediaType }: AddressedFile, variant: FileVariant = {}): string {
  const path = `/files/${hash}/${encodeURIComponent(name)}`;
  const { width, height, fit, format } = variant;
  const given = { w: width, h: height, fit: width && height ? fit : undefined, f: format };
  const parameters = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  return hasVariants(mediaType) && parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
}

/** A link to a file at the beginning of an attribute's value or of an address in one, as rich text has them. */
const linkPattern = /(["'=,\s(]|^)\/files\/(?=[0-9a-f]{64}(?![0-9a-f]))/g;

/** Puts the address of the server before the links to files in rich text. */
export const completeLinks = (html: string, server: string): string =>
  server !== '' && html.includes('/files/') ? html.replaceAll(linkPattern, `$1${server}/files/`) : html;
