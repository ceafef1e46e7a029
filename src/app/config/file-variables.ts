/**
 * The environment variables of files: where their bytes are, how large they may be, and who may read them.
 */
import type { FilesAccess } from '../../http/files/serve-files.ts';
import { choice, maybe, readFilesUrl, type Variable, wholeNumber } from './variable-kinds.ts';

/** The settings of files. */
export interface FileSettings {
  /** The address of the bucket of files; absent for the store's own place. */
  readonly filesUrl?: string;
  /** The maximum size of an uploaded file. */
  readonly maxFileBytes: number;
  readonly filesAccess: FilesAccess;
  /** The widths and heights that variants of pictures can have, in pixels. */
  readonly imageSizes: readonly number[];
  /** The maximum size of the folder of variants; 0 for none. */
  readonly imageCacheBytes: number;
}

/** The variables. */
export const fileVariables = {
  COLOPHON_FILES_URL: maybe(readFilesUrl),
  COLOPHON_MAX_FILE_BYTES: wholeNumber({ fallback: 104_857_600, min: 1024, max: 2_147_483_647 }),
  COLOPHON_FILES_ACCESS: choice({ fallback: 'ANYONE', options: ['ANYONE', 'CLIENT_CREDENTIALS'] }),
  COLOPHON_IMAGE_SIZES: { fallback: [160, 320, 640, 960, 1280, 1920, 2560], read: readSizes },
  COLOPHON_IMAGE_CACHE_BYTES: wholeNumber({ fallback: 1_073_741_824, min: 0, max: 1_099_511_627_776 }),
};

const maxSizes = 32;
const maxPixels = 8192;

function readSizes(text: string): { readonly value: readonly number[] } | string {
  const value = text.split(',').map((size) => (/^\s*\d{1,5}\s*$/.test(size) ? Number(size) : 0));
  const fits = value.length <= maxSizes && value.every((size) => size >= 1 && size <= maxPixels);
  return fits ? { value } : `must be up to ${maxSizes} numbers from 1 to ${maxPixels}, such as 320,640,1280`;
}

/** Reads the settings. */
export function readFileSettings(
  read: <Value>(name: string, variable: Variable<Value>) => Value,
): FileSettings {
  const filesUrl = read('COLOPHON_FILES_URL', fileVariables.COLOPHON_FILES_URL);
  return {
    maxFileBytes: read('COLOPHON_MAX_FILE_BYTES', fileVariables.COLOPHON_MAX_FILE_BYTES),
    filesAccess: read('COLOPHON_FILES_ACCESS', fileVariables.COLOPHON_FILES_ACCESS),
    imageSizes: read('COLOPHON_IMAGE_SIZES', fileVariables.COLOPHON_IMAGE_SIZES),
    imageCacheBytes: read('COLOPHON_IMAGE_CACHE_BYTES', fileVariables.COLOPHON_IMAGE_CACHE_BYTES),
    ...(filesUrl ? { filesUrl } : {}),
  };
}
