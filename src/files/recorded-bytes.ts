/**
 * The bytes of files with a record: opened only if there are as many as the record says, and compared with their hash.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { damagedFile, isDamagedFile } from '../base/errors.ts';
import type { FileRecord } from '../content/files/file-record.ts';
import type { ByteRange, FilePlace } from '../store/file-place.ts';

/** What the record of a file says of its bytes. */
type Recorded = Pick<FileRecord, 'key' | 'bytes' | 'hash'>;

/**
 * Opens the bytes of a file with a record, or a part of them; `undefined` when there are none. Errors: that of `damagedFile` when the file
 * is shorter or longer than its record; those of the place.
 */
export async function openRecorded(
  place: FilePlace,
  { key, bytes, hash: name }: Recorded,
  range?: ByteRange,
): Promise<Readable | undefined> {
  const opened = await place.read(key, range);
  if (!opened || opened.bytes === bytes) return opened?.stream;
  opened.stream.destroy();
  throw damagedFile(`the file ${name} has ${opened.bytes} bytes in its place, and ${bytes} in its record`);
}

/** Reads the bytes of a file with a record, and tells whether they are those that were uploaded. Errors: those of the place. */
export async function isIntact(place: FilePlace, recorded: Recorded): Promise<boolean> {
  try {
    const bytes = await openRecorded(place, recorded);
    return bytes !== undefined && (await hashOf(bytes)) === recorded.hash;
  } catch (error) {
    if (isDamagedFile(error)) return false;
    throw error;
  }
}

/**
 * Returns all bytes of an opened file. Errors: that of `damagedFile` when they are not those that were uploaded; those of the stream.
 */
export async function readIntact(
  opened: Readable,
  { hash, bytes }: Pick<Recorded, 'hash' | 'bytes'>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  async function* read() {
    for await (const chunk of opened) {
      chunks.push(chunk);
      yield chunk;
    }
  }
  if ((await hashOf(read())) === hash) return Buffer.concat(chunks, bytes);
  throw damagedFile(`the bytes of the file ${hash} do not have this hash`);
}

/** Returns the SHA-256 of all bytes of a stream, in hexadecimal. Errors: those of the stream. */
export async function hashOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of bytes) digest.update(chunk);
  return digest.digest('hex');
}
