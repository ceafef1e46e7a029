/**
 * Uploads files: streams their bytes into the place of files, and then writes the record that makes the file exist.
 *
 * Bytes lie under a random key, so that uploads of equal bytes at the same time, and uploads that are cut off, need no order: an
 * upload that finds a record for its hash deletes its own bytes.
 */
import { pipeline, type Readable } from 'node:stream';
import { invalidBody, isDomainError } from '../base/errors.ts';
import { type Metric, toNumberMetric } from '../base/metrics/metric.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { ContentService, StoredAsset } from '../content/content-service.ts';
import { type FileRecord, fileClass, fileRecordId, toFileRecord } from '../content/files/file-record.ts';
import type { FilePlace } from '../store/file-place.ts';
import { mediaTypeOf } from '../text/media-types.ts';
import { cleanFileName } from './file-name.ts';
import { findPictureSize, sizeBytesOf } from './image-size.ts';
import { MeasuredBytes } from './measured-bytes.ts';
import { findMediaType } from './media-type.ts';
import { isIntact } from './recorded-bytes.ts';

/** A file to upload. */
export interface FileUpload {
  /** Opens the bytes; called once, when the name is accepted. */
  open(): Readable;
  readonly name: string;
}

/** An uploaded file, with the media type that it has under the name of the upload. */
export type UploadedFile = Pick<FileRecord, 'hash' | 'name' | 'mediaType' | 'bytes' | 'width' | 'height'>;

/** What uploads need. */
export interface UploadParts {
  readonly system: ContentService;
  readonly place: FilePlace;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly maxFileBytes: number;
}

/**
 * Uploads a file. When it fails, or when the stream of bytes does, nothing is left.
 *
 * Errors: invalid_parameter for a name that names no file, invalid_body for an empty file, body_too_large, those of the stream,
 * store_full, store_failure.
 */
export type UploadFile = (upload: FileUpload) => Promise<UploadedFile>;

/** Uploads files, and counts them. */
export interface Uploader {
  readonly upload: UploadFile;
  collect(): Metric[];
}

/** How often the record of a file may be written or deleted by others while it is written. */
const maxAttempts = 10;

/** Creates the uploader. */
export function createUploader({ system, place, clock, ids, maxFileBytes }: UploadParts): Uploader {
  const uploaded = { files: 0, bytes: 0 };

  async function upload({ open, name: given }: FileUpload): Promise<UploadedFile> {
    const name = cleanFileName(given);
    const key = ids.assetId();
    const measured = new MeasuredBytes(maxFileBytes);
    // An error of either stream destroys `measured`, and so fails the write.
    pipeline(open(), measured, () => undefined);
    await place.write(key, measured);
    try {
      if (measured.bytes === 0) throw invalidBody([{ path: '', message: 'The file is empty' }]);
      const file = { hash: measured.digest(), key, name, bytes: measured.bytes };
      const kept = await keep({ ...file, ...(await describe({ ...file, head: measured.head() })) });
      if (kept.key !== key) await discard(key);
      uploaded.files++;
      uploaded.bytes += file.bytes;
      const { hash, bytes: size, width, height } = kept;
      const mediaType = mediaTypeOf(kept.mediaType, name);
      return { hash, name, mediaType, bytes: size, ...(width && height && { width, height }) };
    } catch (error) {
      await discard(key);
      throw error;
    }
  }

  /** Finds the media type of new bytes, and the size of a picture. */
  async function describe({
    key,
    bytes,
    head,
  }: Pick<FileRecord, 'key' | 'bytes'> & { readonly head: Buffer }) {
    const mediaType = await findMediaType(head);
    const size = findPictureSize(head, mediaType);
    const end = Math.min(bytes, sizeBytesOf(mediaType)) - 1;
    if (size || end < head.length) return { mediaType, ...size };
    const more = await (await place.read(key, { start: 0, end }))?.stream.toArray();
    return { mediaType, ...(more && findPictureSize(Buffer.concat(more), mediaType)) };
  }

  /**
   * Writes the record of new bytes, or renews the one that there is; returns the record. A known file whose bytes are lost or damaged gets
   * the new ones.
   */
  async function keep(file: Omit<FileRecord, 'uploadedAt'>, attempt = 1): Promise<FileRecord> {
    const id = fileRecordId(file.hash);
    const uploadedAt = clock.nowMs();
    const known = await findRecord(id);
    try {
      if (!known) {
        const created = await system.create({ _id: id, _type: fileClass, ...file, uploadedAt }, {});
        return toFileRecord(created.asset);
      }
      const former = toFileRecord(known.asset);
      const isThere = await isIntact(place, former);
      const renewed = { name: file.name, uploadedAt, unusedSince: null };
      // Any number of uploads may renew a record at the same time, but only one gives it bytes.
      const update = isThere
        ? { id, body: renewed }
        : { id, body: { ...renewed, key: file.key }, ifVersions: [known.version] };
      const { asset } = await system.update(update, {});
      if (!isThere) await discard(former.key);
      return toFileRecord(asset);
    } catch (error) {
      const isOvertaken = ['id_in_use', 'not_found', 'precondition_failed'].some(
        (code) => isDomainError(error) && error.code === code,
      );
      if (!isOvertaken || attempt === maxAttempts) throw error;
      return keep(file, attempt + 1);
    }
  }

  const findRecord = (id: string): Promise<StoredAsset | undefined> =>
    system.get(id, {}).catch((error: unknown) => {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    });

  /** Deletes bytes without a record. If that fails, they stay as bytes that no record names. */
  const discard = (key: string) => place.delete(key).catch(() => undefined);

  return {
    upload,
    collect: () => [
      toNumberMetric({
        name: 'colophon_uploads_total',
        help: 'Files that were uploaded, known ones included.',
        type: 'counter',
        combine: 'sum',
        value: uploaded.files,
      }),
      toNumberMetric({
        name: 'colophon_uploaded_bytes_total',
        help: 'Bytes of these files.',
        type: 'counter',
        combine: 'sum',
        value: uploaded.bytes,
      }),
    ],
  };
}
