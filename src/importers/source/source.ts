/**
 * The files of a source: a folder, a file with what lies beside it, or an archive, which is unpacked to a temporary folder.
 *
 * An export is written by others, so no path in it is trusted: every file that is read is found here, and none lies outside of the
 * source, also where `..` or a link leads out. What is refused is noted for the report.
 */
import { createReadStream, createWriteStream, readdirSync, realpathSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { PassThrough, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';

declare const inSource: unique symbol;

/** The path of a regular file of the source. Only a source makes them. */
export type SourceFile = string & { readonly [inSource]: true };

/** A folder or a file in a folder; a link is neither. */
export interface SourceEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The files. Paths are below the folder of the source, with slashes. */
export interface Source {
  /** As the user has named it. */
  readonly path: string;
  /** The file that the user has named; absent of a folder and of an archive. */
  readonly file: SourceFile | undefined;
  /** Finds a file; `undefined` where there is none, or it lies outside of the source. */
  find(path: string): SourceFile | undefined;
  /** Finds a file that has bytes, such as a picture. */
  findBytes(path: string): SourceFile | undefined;
  /** Lists a folder, by name; empty where there is none. Links among the names that are wanted are not followed, but noted. */
  list(folder?: string, isWanted?: (name: string) => boolean): readonly SourceEntry[];
  /** Lists the paths of all files in the folder and in those below it, by path; of those whose name `isWanted`. */
  listAll(isWanted?: (folder: string) => boolean): readonly string[];
  /** What was refused: why, by path. */
  readonly refused: ReadonlyMap<string, string>;
  /** Removes what was unpacked. */
  close(): Promise<void>;
}

/** Why a path is refused. */
const outside = 'path that leads out of the source, and is not followed';
const link = 'link, which is not followed';

/** How many of them are noted, and how many characters of each. */
const maxRefused = 10_000;
const maxNoted = 300;

/** Opens a source; an archive may unpack to `maxBytes`. Errors: SourceError. */
export async function openSource(path: string, { maxBytes }: { maxBytes: number }): Promise<Source> {
  const refused = new Map<string, string>();
  const note = (given: string, why: string) => {
    if (refused.size < maxRefused) refused.set(given.slice(0, maxNoted), why);
    else refused.set('', 'further paths and links, which are not followed');
  };
  const isFolder = statSync(path).isDirectory();
  const isArchive = !isFolder && /\.(tar|tgz|tar\.gz)$/i.test(path);
  const unpacked = isArchive
    ? await unpack(path, { maxBytes, onLink: (name) => note(name, link) })
    : undefined;
  const root = realpathSync(unpacked ?? (isFolder ? path : dirname(path)));

  /** The place of a path, if it is there and within the source. */
  function locate(given: string): string | undefined {
    const place = join(root, given);
    if (!isWithin(root, place)) note(given, outside);
    const real = isWithin(root, place) ? toRealPath(place) : undefined;
    if (real !== undefined && !isWithin(root, real)) {
      note(given, outside);
      return undefined;
    }
    // A list passes over a link, but a path that leads to it within the source is followed.
    if (real !== undefined) refused.delete(given.slice(0, maxNoted));
    return real && place;
  }
  function find(given: string, isFitting: (bytes: number) => boolean): SourceFile | undefined {
    const place = locate(given);
    const found = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
    // It was located within the source.
    return found?.isFile() && isFitting(found.size) ? (place as SourceFile) : undefined;
  }
  function list(folder = '', isWanted = (_name: string) => true): SourceEntry[] {
    const place = locate(folder);
    if (place === undefined || !statSync(place).isDirectory()) return [];
    const entries = readdirSync(place, { withFileTypes: true }).filter(({ name }) => isWanted(name));
    for (const entry of entries)
      if (!entry.isFile() && !entry.isDirectory()) note(join(folder, entry.name), link);
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }
  const listBelow = (folder: string, isWanted: (name: string) => boolean): string[] =>
    list(folder).flatMap(({ name, isFolder: isBelow }) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!isBelow) return [path];
      return isWanted(name) ? listBelow(path, isWanted) : [];
    });
  return {
    path,
    // The user has named it.
    file: isFolder || isArchive ? undefined : (path as SourceFile),
    find: (given) => find(given, () => true),
    findBytes: (given) => find(given, (bytes) => bytes > 0),
    list,
    listAll: (isWanted = () => true) => listBelow('', isWanted).sort(),
    refused,
    close: async () => {
      if (unpacked !== undefined) await rm(unpacked, { recursive: true, force: true });
    },
  };
}

/** The file of a source that must be one. Errors: SourceError. */
export function fileOf({ file }: Source): SourceFile {
  if (file === undefined) throw new SourceError('is no file');
  return file;
}

export const openText = (file: SourceFile): Readable => createReadStream(file, { encoding: 'utf8' });

/** Reads a whole file as text. Errors: SourceError for one that is too long. */
export async function readWhole(file: SourceFile): Promise<string> {
  if (statSync(file).size > maxCharacters)
    throw new SourceError(`has a file of more than ${maxCharacters} bytes, ${file}`);
  return readFile(file, 'utf8');
}

function isWithin(root: string, place: string): boolean {
  const way = relative(root, place);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** Follows links; `undefined` where nothing is, or the path is no path. */
function toRealPath(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

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
async function unpack(archive: string, { maxBytes, onLink }: Unpacking): Promise<string> {
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

export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** The most characters of what is read as a whole: a line, an item of JSON, a row of a table, an element of XML, a file of text. */
export const maxCharacters = 64_000_000;

/** Reads the lines one after the other, without their line feeds. Errors: SourceError for one of more than `max` characters. */
export async function* readLines(path: string, max = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let begun: string[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const [first = '', ...others] = String(chunk).split('\n');
    begun.push(first);
    length += first.length;
    for (const next of others) {
      yield begun.join('');
      number++;
      begun = [next];
      ({ length } = next);
    }
    if (length > max) throw new SourceError(`has a line of more than ${max} characters, line ${number}`);
  }
  const last = begun.join('');
  if (last !== '') yield last;
}

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Finds the encoding of a file: UTF-8 if all its bytes are. */
export async function findEncoding(file: SourceFile): Promise<TextEncodingName> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(file)) {
      // A stream without an encoding has bytes.
      const bytes = chunk as Buffer;
      if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
      isFirst = false;
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

/** Opens a file in an encoding as a stream of texts. */
export const openDecoded = (file: SourceFile, encoding: TextEncodingName): Readable =>
  Readable.from(decode(file, encoding));

async function* decode(file: SourceFile, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
