/** The files under `src/`, with what each imports, for tests of how they hang together. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** One file of the source. */
export interface SourceFile {
  /** From `src/`, such as `http/api.ts`. */
  readonly path: string;
  /** The folder of `src/` it lies in, such as `http`. */
  readonly layer: string;
  readonly text: string;
  /** Files it imports, type imports included, as paths from `src/` or, outside of it, from the repository as `../…`. */
  readonly files: readonly string[];
  /** Those of `files` that are imported when it runs, and not for their types alone. */
  readonly loadedFiles: readonly string[];
  /** Packages it imports, by name; those of Node begin with `node:`. */
  readonly packages: readonly string[];
}

const root = join(import.meta.dirname, '../../src');

/** Reads every file of the source, but for the configuration of tools. */
export function readSourceFiles(): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.config.ts'))
    .sort()
    .map(readSourceFile);
}

/** A text without its comments, as far as they stand on lines of their own. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const names = importedNames(text);
  const toPath = (name: string) => relative(root, join(root, dirname(path), name));
  return {
    path,
    layer: path.split('/')[0] ?? '',
    text,
    files: names.filter(isFile).map(toPath),
    loadedFiles: importedNames(text.replace(typeImport, '')).filter(isFile).map(toPath),
    packages: names.filter((name) => !isFile(name)).map(packageOf),
  };
}

const typeImport = /^(import|export) type [^;]*;/gm;

const importedNames = (text: string) =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

const isFile = (name: string) => name.startsWith('.');

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
