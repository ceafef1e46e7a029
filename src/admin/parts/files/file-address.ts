/**
 * Where the server serves files, and what is said of them.
 */
import { type AddressedFile, type FileVariant, toFilePath } from '../../../text/file-url.ts';
import type { Asset, ContentType, Field } from '../../api.ts';
import { serverUrl } from '../../base-path.ts';
import { isFileField } from '../data/scalar-views.ts';

/** The address of a file, or of a variant of a picture. */
export const toFileAddress = (file: AddressedFile, variant?: FileVariant): string =>
  serverUrl + toFilePath(file, variant);

/** Whether a browser shows a file of a media type as a picture. */
export const isPicture = (mediaType: string): boolean =>
  /^image\/(jpeg|png|gif|webp|avif|svg\+xml|bmp|x-icon)$/.test(mediaType);

/** A file as it is described. */
interface DescribedFile {
  readonly mediaType: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly bytes: number;
}

/** The media type and the size in pixels, such as `image/png, 640 × 480 pixels`. */
export const describeKind = ({ mediaType, width, height }: DescribedFile): string =>
  width && height ? `${mediaType}, ${width} × ${height} pixels` : mediaType;

/** What a file is, and its size, such as `image/png, 640 × 480 pixels, 12.3 KB`. */
export const describeFile = (file: DescribedFile): string =>
  `${describeKind(file)}, ${describeBytes(file.bytes)}`;

/** A number of bytes in the largest unit of which there is at least one. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(amount)} ${units[power]}`;
}

/** The names of the fields of a type that hold files. */
export const fileFieldsOf = ({ fields }: { readonly fields: readonly Field[] }): string[] =>
  fields.filter(isFileField).map(({ name }) => name);

/** The picture of an asset of a type; undefined for none. */
export function pictureOf(asset: Asset, type: ContentType): AddressedFile | undefined {
  // What a field holds that has files is one, or a list of them.
  const files = fileFieldsOf(type).flatMap((name) => [asset[name] ?? []].flat() as AddressedFile[]);
  return files.find(({ mediaType }) => mediaType?.startsWith('image/'));
}
