/**
 * The environment variables of files: where their bytes are, how large they may be, and who may read them.
 */
import type { FilesAccess } from '../../http/files/file-headers.ts';
import { choice, maybe, readFilesUrl, type Variable, wholeNumber } from './variable-kinds.ts';

/** The settings of files. */
export interface FileSettings {
  /** The address of the bucket of files; absent for the store's own place. */
  readonly filesUrl?: string;
  /** The maximum size of an uploaded file. */
  readonly maxFileBytes: number;
  readonly filesAccess: FilesAccess;
}

/** The variables. */
export const fileVariables = {
  COLOPHON_FILES_URL: maybe(readFilesUrl),
  COLOPHON_MAX_FILE_BYTES: wholeNumber({ fallback: 104_857_600, min: 1024, max: 2_147_483_647 }),
  COLOPHON_FILES_ACCESS: choice({ fallback: 'ANYONE', options: ['ANYONE', 'CLIENT_CREDENTIALS'] }),
};

/** Reads the settings. */
export function readFileSettings(
  read: <Value>(name: string, variable: Variable<Value>) => Value,
): FileSettings {
  const filesUrl = read('COLOPHON_FILES_URL', fileVariables.COLOPHON_FILES_URL);
  return {
    maxFileBytes: read('COLOPHON_MAX_FILE_BYTES', fileVariables.COLOPHON_MAX_FILE_BYTES),
    filesAccess: read('COLOPHON_FILES_ACCESS', fileVariables.COLOPHON_FILES_ACCESS),
    ...(filesUrl ? { filesUrl } : {}),
  };
}
