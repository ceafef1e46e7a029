/**
 * Measures the bytes of a file while they pass: their number, their hash, and the first of them.
 */
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { bodyTooLarge } from '../base/errors.ts';

/** How many of the first bytes are kept: enough for the media type of any file, and for the size of most pictures. */
const headBytes = 65_536;

/** Passes bytes on and measures them. Fails with body_too_large at the first byte beyond the limit. */
export class MeasuredBytes extends Transform {
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
