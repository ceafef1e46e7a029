/** Reads the files under `src/` and their imports, for the architecture tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** A source file. */
export interface SourceFile {
  /** The path relative to `src/`, such as `http/api.ts`. */
  readonly path: string;
  /** Its top folder in `src/`, such as `http`. */
  readonly layer: string;
  readonly text: string;
  /** Files it imports, type imports included, as paths relative to `src/`; those outside of it begin with `../`. */
  readonly files: readonly string[];
  /** Those of `files` that it imports at run time, not only for their types. */
  readonly loadedFiles: readonly string[];
  /** Names of the packages it imports; modules of Node begin with `node:`. */
  readonly packages: readonly string[];
}

const root = join(import.meta.dirname, '../../src');

/** Reads every source file, except tool configurations and the files that `colophon init` copies into projects. */
export function readSourceFiles(): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => /\.tsx?$/.test(path) && !path.endsWith('.config.ts') && !path.startsWith('cli/init/next/'),
    )
    .sort()
    .map(readSourceFile);
}

/** Removes comments that occupy whole lines. */
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
