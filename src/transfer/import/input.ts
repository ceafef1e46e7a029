/**
 * What is imported: a file, or a stream that can be read once. Its beginning tells whether it can be lines of
 * JSON at all.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { transferFailed } from '../../base/errors.ts';

/** Bytes to import. */
export interface Input {
  /** For people. */
  readonly name: string;
  /** Of a file only. */
  readonly size?: number;
  /** Differs when the input is not the same any more. */
  readonly identity: string;
  /** Whether `chunks` can begin anywhere; otherwise it begins at 0. */
  readonly seekable: boolean;
  /** The bytes from an offset on; of a stream, once. */
  chunks(from: number): AsyncIterable<Buffer>;
}

/** How much of the beginning is looked at. */
const headBytes = 65_536;

/** Opens a file, or what else has a path, such as a pipe. Errors: transfer_failed, the file system's own. */
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
    // What is appended meanwhile is not of this import.
    chunks: (from) => (from < size ? createReadStream(path, { start: from, end: size - 1 }) : noBytes()),
  };
}

/** Begins to read a stream. Errors: transfer_failed, the stream's own. */
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

/** What a file may begin with that is no line of JSON, in hexadecimal, and what to say of it. */
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
