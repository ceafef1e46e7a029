/** A folder of content types: the shipped types and those that a test adds. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shippedTypesFolder } from '../../src/model/types/type-sources.ts';

/** A folder of content types; `remove` deletes it. */
export interface TypesFolder {
  readonly path: string;
  remove(): void;
}

/** Creates a folder with the shipped types and one more file. */
export function makeTypesFolder(sdl: string): TypesFolder {
  const path = mkdtempSync(join(tmpdir(), 'colophon-types-'));
  cpSync(shippedTypesFolder, path, { recursive: true });
  writeFileSync(join(path, 'added.graphql'), sdl);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
