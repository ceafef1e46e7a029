/**
 * The files of the built admin UI, held in memory: read together, so that pages never meet the parts of another build, and each
 * compressed once, when it is first asked for.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlibConstants } from 'node:zlib';

/** The content codings of HTTP that are made, the best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** One file. */
export interface PageFile {
  readonly bytes: Buffer;
  /** The bytes as compressed, or nothing for what is compact as it is. */
  compress(coding: Coding): Promise<Buffer> | undefined;
}

/** The files by their paths below the folder, such as `assets/index.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The page that all the others are parts of. */
export const indexName = 'index.html';

/** Reads a folder with all that is below it; `undefined` unless it holds an index. */
export function readPageFiles(folder: string): PageFiles | undefined {
  if (!existsSync(join(folder, indexName))) return undefined;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readPageFile(path)]));
}

/** What is text, or holds much that repeats; pictures and most fonts are compact already. */
const compressible = ['.css', '.html', '.js', '.json', '.map', '.svg', '.ttf', '.txt', '.wasm'];

function readPageFile(path: string): PageFile {
  const bytes = readFileSync(path);
  const compressed = new Map<Coding, Promise<Buffer>>();
  return {
    bytes,
    compress(coding) {
      if (!compressible.includes(extname(path))) return undefined;
      const known = compressed.get(coding) ?? compressors[coding](bytes);
      compressed.set(coding, known);
      return known;
    },
  };
}

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  // The highest quality would be a tenth smaller, and take thirty times as long.
  br: (bytes) => toBrotli(bytes, { params: { [zlibConstants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => toGzip(bytes),
};
