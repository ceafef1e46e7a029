/**
 * The records of files: what the store knows of a file, whose bytes lie in the place of files.
 *
 * A file exists if its record does. Records are system records; their types are in `access/system-types.ts`.
 */
import { toHashedUuid } from '../../base/uuid.ts';
import type { Asset } from '../../model/content-type.ts';

/** The class names of the records of files, and of the assets that use them. */
export const fileClass = 'com.colophon.system.StoredFile';
export const fileUseClass = 'com.colophon.system.FileUse';

export interface FileRecord {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  /** The random key of the bytes in the place of files. */
  readonly key: string;
  /** The name of the last upload, for lists, and for values that are written without a name. */
  readonly name: string;
  /** What the bytes tell; `application/octet-stream` if nothing. */
  readonly mediaType: string;
  readonly bytes: number;
  /** The size of a picture in pixels, as it is shown. */
  readonly width?: number;
  readonly height?: number;
  /** When it was uploaded last, in milliseconds since 1970. */
  readonly uploadedAt: number;
  /** When it was found unused, in milliseconds since 1970. */
  readonly unusedSince?: number;
}

/** Returns the `_id` of the record of a file. */
export const fileRecordId = (hash: string): string => toHashedUuid(`file ${hash}`);

/** Returns the `_id` of the record that an asset uses a file. */
export const fileUseId = (hash: string, asset: string): string => toHashedUuid(`file ${hash} ${asset}`);

/** Returns the record in a stored asset of the type. */
export const toFileRecord = (asset: Asset): FileRecord => {
  const {
    _id,
    _type,
    'cms.content.publishDate': _published,
    'cms.content.updateDate': _updated,
    ...fields
  } = asset;
  // Only records of this shape are stored under the type.
  return fields as unknown as FileRecord;
};
