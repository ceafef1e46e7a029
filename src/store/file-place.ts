/**
 * The port of a place of files: what keeps the bytes of files, each under a random key that is written once.
 *
 * A place knows no names, hashes or media types: records in the store have those. Bytes without a record are orphans, which `list` finds.
 * Errors: store_failure with its cause; store_full when there is no space left.
 */
import type { Readable } from 'node:stream';

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

/** A place that keeps the bytes of files. */
export interface FilePlace {
  /** What the place is, for people: such as the path of a folder, or the address of a bucket without its secrets. */
  readonly description: string;
  /**
   * Writes the bytes of a stream, which are durable when the promise resolves. When the stream fails or is destroyed, rejects with its
   * error and leaves nothing under the key.
   */
  write(key: string, bytes: Readable): Promise<void>;
  /** Opens the bytes, or a part of them; `undefined` when there are none. Destroying the stream releases what it holds. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Finds the size of the bytes; `undefined` when there are none. */
  find(key: string): Promise<PlacedFile | undefined>;
  /** Deletes the bytes, if there are any. */
  delete(key: string): Promise<void>;
  /** Lists all bytes, in no order. */
  list(): AsyncIterable<PlacedFile>;
  /** Resolves when the place can be written and read; rejects with what is wrong otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}
