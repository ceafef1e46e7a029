/**
 * Uploads files: streams their bytes into the place of files, and then writes the record that makes the file exist.
 *
 * Bytes lie under a random key, so that uploads of equal bytes at the same time, and uploads that are cut off, need no order: an
 * upload that finds a record for its hash deletes its own bytes.
 */

import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import { bodyTooLarge, invalidBody, invalidParameter, isDomainError, unlessError } from '../base/errors.ts';
import { type Metric, toNumberMetric } from '../base/metrics/metric.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import { type FileRecord, fileClass, fileRecordId, toFileRecord } from '../content/files/file-record.ts';
import type { FilePlace } from '../store/file-place.ts';
import { mediaTypeOf, unknownType } from '../text/media-types.ts';
import { isIntact } from './recorded-bytes.ts';

interface FileUpload {
  /** Opens the bytes; called once, when the name is accepted. */
  open(): Readable;
  readonly name: string;
}

/** An uploaded file, with the media type that it has under the name of the upload. */
type UploadedFile = Pick<FileRecord, 'hash' | 'name' | 'mediaType' | 'bytes' | 'width' | 'height'>;

/** What uploads need. */
interface UploadParts {
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
    const known = await unlessError(system.get(id, {}), 'not_found');
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

/** How many of the first bytes are kept: enough for the media type of any file, and for the size of most pictures. */
const headBytes = 65_536;

/** Passes bytes on and measures them. Fails with body_too_large at the first byte beyond the limit. */
class MeasuredBytes extends Transform {
  /** How many bytes have passed. */
  bytes = 0;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  readonly #head: Buffer[] = [];

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const kept = headBytes - this.bytes;
    this.bytes += chunk.length;
    if (this.bytes > this.#maxBytes) {
      done(bodyTooLarge(this.#maxBytes));
      return;
    }
    this.#hash.update(chunk);
    // A copy, because a part of a chunk would keep all of it in memory.
    if (kept > 0) this.#head.push(Buffer.from(chunk.subarray(0, kept)));
    done(null, chunk);
  }

  /** Returns the SHA-256 of all bytes in hexadecimal; to be called once. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  /** Returns the first bytes. */
  head(): Buffer {
    return Buffer.concat(this.#head);
  }
}

/** The width and the height of a picture in pixels. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The types whose size is read, and from how many bytes. The parts of an AVIF file can be nested so that reading them takes quadratic time,
 * but its size stands at its beginning.
 */
const readBytes: Readonly<Record<string, number>> = {
  'image/png': 64,
  'image/apng': 64,
  'image/gif': 64,
  'image/webp': 64,
  'image/bmp': 64,
  'image/avif': 16_384,
  'image/heic': 16_384,
  'image/jpeg': 262_144,
};

/** Returns from how many of the first bytes of a file its size can be read; 0 for a type without a known size. */
const sizeBytesOf = (mediaType: string): number => readBytes[mediaType] ?? 0;

/** The largest number that a record can hold. */
const maxPixels = 2 ** 31 - 1;

/** Finds the size of a picture; `undefined` when the bytes do not tell it. */
export function findPictureSize(head: Uint8Array, mediaType: string): PictureSize | undefined {
  const bytes = head.subarray(0, sizeBytesOf(mediaType));
  if (bytes.length === 0) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!isPixels(width) || !isPixels(height)) return undefined;
    const isRotated = orientation >= 5 || isRotatedBox(bytes);
    return isRotated ? { width: height, height: width } : { width, height };
  } catch {
    // The library throws errors of several classes for broken files.
    return undefined;
  }
}

const isPixels = (value: number) => Number.isInteger(value) && value > 0 && value <= maxPixels;

/** Whether an AVIF or HEIC file is shown after a rotation by 90 or 270 degrees. */
function isRotatedBox(bytes: Uint8Array): boolean {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(
    '\0\0\0\x09irot',
    0,
    'latin1',
  );
  return box >= 0 && ((bytes[box + 8] ?? 0) & 1) === 1;
}

const svgType = 'image/svg+xml';

/** What stands before the element of an SVG picture: a declaration, comments, and a document type, which may declare entities. */
const beforeSvg =
  /^\uFEFF?(\s|<\?[^>]*\?>|<!--((?!-->).)*-->|<!DOCTYPE\s+svg[^>[]*(\[[^\]]*\]\s*)?>)*<svg[\s>]/is;

/** How many bytes tell whether they are SVG. */
const svgBytes = 4096;

/** Finds the media type of a file from its first bytes: `application/octet-stream` where they do not tell it, as in most texts. */
export async function findMediaType(head: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(head);
  if (found && found.mime !== 'application/xml') return found.mime.split(';', 1)[0] ?? unknownType;
  if (beforeSvg.test(Buffer.from(head.subarray(0, svgBytes)).toString())) return svgType;
  return found?.mime ?? unknownType;
}

/** The maximum length of a name in UTF-8, which is that of file systems. */
const maxNameBytes = 255;

/** Control characters, line separators, halves of surrogate pairs, and characters that reverse the direction of a text. */
const hidden = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Characters that end a value in a header, or that some file system refuses. */
const refused = /["<>:|?*]/g;

/**
 * Cleans the name of a file: only what follows the last slash or backslash, in Unicode form C, without control characters and without
 * spaces at its ends. Errors: invalid_parameter `name` when nothing is left, or more than 255 bytes.
 */
export function cleanFileName(given: string): string {
  const name = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replace(hidden, '')
    .replace(refused, '_')
    .normalize('NFC')
    .replace(/^\s+|[\s.]+$/g, '');
  if (name === '') throw invalidParameter('name', 'has nothing that can name a file');
  if (Buffer.byteLength(name) > maxNameBytes)
    throw invalidParameter('name', `is longer than ${maxNameBytes} bytes in UTF-8`);
  return name;
}

/** Returns a name without its ending. */
export const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '');
