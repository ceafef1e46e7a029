/**
 * Where the server serves files, and what is said of them.
 */
import { type AddressedFile, type FileVariant, toFilePath } from '../../../text/file-url.ts';
import { serverUrl } from '../../base-path.ts';

/** The address of a file, or of a variant of a picture. */
export const toFileAddress = (file: AddressedFile, variant?: FileVariant): string =>
  serverUrl + toFilePath(file, variant);

/** Whether a browser shows a file of a media type as a picture. */
export const isPicture = (mediaType: string): boolean =>
  /^image\/(jpeg|png|gif|webp|avif|svg\+xml|bmp|x-icon)$/.test(mediaType);

/** The media type, the size in pixels and the size of a file, such as `image/png, 640 × 480 pixels, 12 KB`. */
export function describeFile({
  mediaType,
  width,
  height,
  bytes,
}: {
  readonly mediaType: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly bytes: number;
}): string {
  const size = width && height ? [`${width} × ${height} pixels`] : [];
  return [mediaType, ...size, describeBytes(bytes)].join(', ');
}

/** A number of bytes in the largest unit of which there is at least one. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(amount)} ${units[power]}`;
}
