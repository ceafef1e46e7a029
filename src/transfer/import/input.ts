/**
 * The input of an import: a file, or a stream that can be read once. Its first bytes show whether it can be lines of JSON.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { transferFailed } from '../../base/errors.ts';

/** Bytes to import. */
export interface Input {
  /** Shown to people. */
  readonly name: string;
  /** Known for files only. */
  readonly size?: number;
  /** Changes when the input has changed. */
  readonly identity: string;
  /** Whether `chunks` can begin anywhere; otherwise it begins at 0. */
  readonly seekable: boolean;
  /** Reads the bytes from an offset on; a stream can be read once. */
  chunks(from: number): AsyncIterable<Buffer>;
}

/** How many of the first bytes are checked. */
const headBytes = 65_536;

/** Opens a file, or another readable path such as a pipe. Errors: transfer_failed, the file system's own. */
export async function openInput(path: string): Promise<Input> {
  const stats = statSync(path);
  if (!stats.isFile()) return openStream(path, createReadStream(path));
  const { size, mtimeMs } = stats;
  const head = readHead(path);
  assertText(path, head);
  return {
    name: path,
    size,
    identity: `${size} bytes, changed ${mtimeMs}, beginning ${hashOf(head)}`,
    seekable: true,
    // Bytes appended meanwhile do not belong to this import.
    chunks: (from) => (from < size ? createReadStream(path, { start: from, end: size - 1 }) : noBytes()),
  };
}

/** Starts reading a stream. Errors: transfer_failed, the stream's own. */
export async function openStream(name: string, stream: AsyncIterable<Buffer>): Promise<Input> {
  const iterator = stream[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  for (let length = 0; length < headBytes; ) {
    const { done, value } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const head = Buffer.concat(first).subarray(0, headBytes);
  assertText(name, head);
  async function* chunks() {
    yield* first.splice(0);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return {
    name,
    identity: `a stream, beginning ${hashOf(head)}`,
    seekable: false,
    chunks,
  };
}

async function* noBytes(): AsyncIterable<Buffer> {}

function readHead(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

/** First bytes of files that are not lines of JSON, in hexadecimal, with the message for each. */
const strangers: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [/^(fffe|feff|7b00|007b)/, 'is in UTF-16 and must be in UTF-8; iconv -f UTF-16 -t UTF-8 makes it so'],
  [/^1f8b/, 'is compressed; use gunzip -c on it, and import -'],
  [/^28b52ffd/, 'is compressed; use zstd -dc on it, and import -'],
  [/^504b0304/, 'is a ZIP archive; unpack it first'],
  [
    /^(efbbbf)?(20|09|0d|0a)*5b(20|09|0d)*0a/,
    "is one JSON list and must have one object a line; jq -c '.[]' makes it so",
  ],
];

function assertText(name: string, head: Buffer): void {
  const beginning = head.subarray(0, 64).toString('hex');
  const stranger = strangers.find(([pattern]) => pattern.test(beginning));
  if (stranger) throw transferFailed(`${name} ${stranger[1]}`);
}
