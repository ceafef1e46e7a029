/**
 * The port of a place of files: what keeps the bytes of files, each under a random key that is written once.
 *
 * A place knows no names, hashes or media types: records in the store have those. Bytes without a record are orphans, which `list` finds.
 * A key has lower-case letters, digits and hyphens, so that every place can use it as a name.
 * Errors: store_failure with its cause; store_full when there is no space left; store_busy when a place on a server does not answer, or too many
 * files are open; store_gone when the folder of the store was moved away.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** The bytes of one file in a place. */
export interface PlacedFile {
  readonly key: string;
  readonly bytes: number;
  /** When they were written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** A part of a file: the first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes that are open for reading. */
export interface OpenedBytes {
  /** How many the whole file has. */
  readonly bytes: number;
  /** Destroying it releases what it holds. */
  readonly stream: Readable;
}

/** A place that keeps the bytes of files. */
export interface FilePlace {
  /** What the place is, for people: such as the path of a folder, or the address of a bucket without its secrets. */
  readonly description: string;
  /** Whether only the store next to it uses the place, so that bytes without a record in the store are nobody's. */
  readonly isOwn: boolean;
  /**
   * Writes the bytes of a stream, which are durable when the promise resolves. When the stream fails or is destroyed, rejects with its
   * error and leaves nothing under the key. When the place fails, destroys the stream.
   */
  write(key: string, bytes: Readable): Promise<void>;
  /**
   * Opens the bytes, or a part of them; `undefined` when there are none. Errors: that of `damagedFile` when the place knows that some are
   * missing, for which the stream may fail as well.
   */
  read(key: string, range?: ByteRange): Promise<OpenedBytes | undefined>;
  /** Finds the size of the bytes; `undefined` when there are none. */
  find(key: string): Promise<PlacedFile | undefined>;
  /** Deletes the bytes, if there are any. */
  delete(key: string): Promise<void>;
  /** Lists all bytes that were written, in no order. */
  list(): AsyncIterable<PlacedFile>;
  /** Rejects with store_full while there is no space for another file; absent for a place on a server. */
  ping?(): Promise<void>;
  close(): Promise<void>;
}

/** Tells whether a text can be a key: it means nothing else than a name, in any place. */
export const isKey = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,99}$/.test(text);

/** Throws unless a text can be a key. */
export function assertKey(text: string): void {
  if (!isKey(text)) throw new Error(`no key of a file: ${JSON.stringify(text)}`);
}

/** Writes a small object to a place, reads and deletes it. Rejects with what is wrong. */
export async function checkPlace(place: FilePlace): Promise<void> {
  const key = `check-${randomUUID()}`;
  await place.write(key, Readable.from([Buffer.from(key)]));
  try {
    const opened = await place.read(key);
    if (!opened || (await buffer(opened.stream)).toString() !== key)
      throw new Error('it returns other bytes than were written');
  } finally {
    await place.delete(key);
  }
}
