/**
 * The files of built pages, in memory. They are read together, so that a page never loads files of another build. Each file is
 * compressed once, when it is first requested. The builds leave a placeholder where the path of the public URL belongs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlibConstants } from 'node:zlib';
import type { Coding } from '../response/content-coding.ts';

/** One file. */
export interface PageFile {
  readonly bytes: Buffer;
  /** Compresses the bytes; returns `undefined` for file types that compression does not make smaller. */
  compress(coding: Coding): Promise<Buffer> | undefined;
}

/** The files by their paths below the folder, such as `assets/index.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The file name of the main page of a folder. */
export const indexName = 'index.html';

/** The placeholder in built files; src/admin/vite.config.ts and docs/.vitepress/config.ts begin their `base` with it. */
const placeholder = '/__base__';

/**
 * Reads a folder and its subfolders, and puts `basePath` in place of the placeholder. Returns `undefined` unless the folder contains
 * an index.
 */
export function readPageFiles(folder: string, basePath: string): PageFiles | undefined {
  if (!existsSync(join(folder, indexName))) return undefined;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readPageFile(path, basePath)]),
  );
}

/** The extensions of files that compression makes smaller; pictures and most fonts are already compressed. */
const compressible = ['.css', '.html', '.js', '.json', '.map', '.svg', '.ttf', '.txt', '.wasm'];

function readPageFile(path: string, basePath: string): PageFile {
  const built = readFileSync(path);
  const bytes = built.includes(placeholder)
    ? Buffer.from(built.toString().replaceAll(placeholder, basePath))
    : built;
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
  // The highest quality would save another tenth, but take thirty times as long.
  br: (bytes) => toBrotli(bytes, { params: { [zlibConstants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => toGzip(bytes),
};
