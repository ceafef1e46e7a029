/**
 * The input of an import: a file, or the copy of a stream. Its first bytes show whether it can be lines of JSON.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transferFailed } from '../../base/errors.ts';

/** A file to import, which can be read more than once. */
export interface Input {
  /** Shown to people. */
  readonly name: string;
  readonly size: number;
  /** Changes when the input has changed. */
  readonly identity: string;
  /** Whether the last line has a line break. */
  readonly isTerminated: boolean;
  /** Reads the bytes from an offset on. */
  chunks(from: number): AsyncIterable<Buffer>;
  /** Deletes the copy of a stream. */
  close(): void;
}

/** How many of the first bytes are checked. */
const headBytes = 65_536;

/** Opens a file, or another readable path such as a pipe. Errors: transfer_failed, the file system's own. */
export async function openInput(path: string): Promise<Input> {
  const stats = statSync(path);
  if (!stats.isFile()) return openStream(path, createReadStream(path));
  const head = readBytes(path, 0, headBytes);
  assertText(path, head);
  const changed = `changed ${stats.mtimeMs}`;
  return {
    ...openFile(path, `${stats.size} bytes, ${changed}, beginning ${hashOf(head)}`),
    name: path,
    close: () => {},
  };
}

/** Copies a stream to a temporary file, since it is read twice. Errors: transfer_failed, the stream's own. */
export async function openStream(name: string, stream: AsyncIterable<Buffer>): Promise<Input> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-import-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'lines');
    await copyTo(path, stream);
    const head = readBytes(path, 0, headBytes);
    assertText(name, head);
    return { ...openFile(path, `a stream, beginning ${hashOf(head)}`), name, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function copyTo(path: string, stream: AsyncIterable<Buffer>): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for await (const chunk of stream) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

function openFile(path: string, identity: string): Omit<Input, 'name' | 'close'> {
  const { size } = statSync(path);
  return {
    size,
    identity,
    isTerminated: size === 0 || readBytes(path, size - 1, 1).at(0) === 0x0a,
    // Bytes appended meanwhile do not belong to this import.
    chunks: (from) => (from < size ? createReadStream(path, { start: from, end: size - 1 }) : noBytes()),
  };
}

async function* noBytes(): AsyncIterable<Buffer> {}

function readBytes(path: string, position: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, position));
  } finally {
    closeSync(file);
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

/** First bytes of files that are not lines of JSON, in hexadecimal, with the message for each. */
const strangers: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [/^(fffe|feff|7b00|007b)/, 'is in UTF-16 and must be in UTF-8; iconv -f UTF-16 -t UTF-8 makes it so'],
  [/^1f8b/, 'is compressed; use gunzip -c on it, and import -'],
  [/^28b52ffd/, 'is compressed; use zstd -dc on it, and import -'],
  [/^504b0304/, 'is a ZIP archive; unpack it first'],
];

/** What files of other forms begin with, with the message for each. */
const otherForms: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [
    /^<[\s\S]*<rss[\s\S]*wordpress\.org\/export/,
    'is an export of WordPress (WXR), which is XML; convert it to lines of JSON first, with npx colophon-import wxr',
  ],
  [/^</, 'is XML or HTML; convert it to lines of JSON first'],
  [/^\[/, "is one JSON list and must have one object a line; jq -c '.[]' makes it so"],
  [
    /^\{\s*"(contentTypes|entries|assets|editorInterfaces|locales|tags|webhooks|roles)"\s*:\s*\[/,
    'is an export of Contentful; convert it to lines of JSON first, with npx colophon-import contentful',
  ],
  [
    /^\{[ \t\r]*\n\s*"/,
    'is one JSON object over several lines and must have one object a line; jq -c . makes it so',
  ],
  [
    /^(?![{}])"?[\w .-]+"?([,;\t]"?[\w .-]*"?)+\r?\n/,
    'is a table (CSV); convert it to lines of JSON first, with npx colophon-import csv',
  ],
];

function assertText(name: string, head: Buffer): void {
  const beginning = head.subarray(0, 64).toString('hex');
  const text = head.toString().replace(/^\ufeff?\s*/, '');
  const stranger =
    strangers.find(([pattern]) => pattern.test(beginning)) ??
    otherForms.find(([pattern]) => pattern.test(text));
  if (stranger) throw transferFailed(`${name} ${stranger[1]}`);
}
