/**
 * Unpacks an archive (`.tar.gz` or `.tar`) to a temporary folder, within a limit: a few megabytes may hold terabytes.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { PassThrough, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { SourceError } from '../source-error.ts';

/** What a file takes up on a disk at least, in bytes. */
const blockBytes = 4096;

/** How an archive is unpacked. */
interface Unpacking {
  /** The most bytes that all entries may have. */
  readonly maxBytes: number;
  /** Called with the path of each link and of what leads out of the folder; they are not unpacked. */
  readonly onLink: (path: string) => void;
}

/** Unpacks the files of an archive, and returns the folder. Errors: SourceError; then nothing is left of it. */
export async function unpack(archive: string, { maxBytes, onLink }: Unpacking): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-import-'));
  try {
    await unpackTo(folder, { archive, maxBytes, onLink });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (error instanceof SourceError) throw error;
    throw new SourceError(`is no archive: ${error instanceof Error ? error.message : error}`);
  }
  return folder;
}

async function unpackTo(
  folder: string,
  { archive, maxBytes, onLink }: Unpacking & { archive: string },
): Promise<void> {
  const limit = createLimit(maxBytes);
  const entries = extract();
  const unzip = /gz$/i.test(archive) ? createGunzip() : new PassThrough();
  const unpacking = pipeline(createReadStream(archive), unzip, limit.stream, entries);
  // It is awaited below.
  unpacking.catch(() => undefined);
  try {
    for await (const entry of entries) {
      limit.countFile();
      const path = normalize(entry.header.name);
      const isFile = isFileInside(entry.header, path);
      if (!isFile && entry.header.type !== 'directory') onLink(entry.header.name);
      if (isFile) await mkdir(dirname(join(folder, path)), { recursive: true });
      await pipeline(entry, isFile ? createWriteStream(join(folder, path)) : createSink());
    }
    await unpacking;
  } catch (error) {
    throw limit.error() ?? error;
  }
}

const createSink = () => new Writable({ write: (_chunk, _encoding, done) => done() });

const isFileInside = ({ type }: Header, path: string) =>
  type === 'file' && path.split(sep)[0] !== '..' && !path.startsWith(sep) && !/^[A-Za-z]:/.test(path);

/** Counts the bytes that go through `stream`, and what each file takes up besides. */
function createLimit(maxBytes: number) {
  let total = 0;
  let error: SourceError | undefined;
  const count = (bytes: number) => {
    total += bytes;
    if (total > maxBytes)
      error = new SourceError(
        `unpacks to more than ${maxBytes} bytes: --max-bytes sets another limit, if you trust the archive`,
      );
  };
  return {
    stream: new Transform({
      transform(chunk: Buffer, _encoding, done) {
        count(chunk.length);
        done(error ?? null, chunk);
      },
    }),
    /** The error that has ended the stream. */
    error: () => error,
    countFile: () => {
      count(blockBytes);
      if (error) throw error;
    },
  };
}
