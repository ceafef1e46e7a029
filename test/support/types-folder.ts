/** Folders of content types: those of a test, with or without the shipped ones. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedTypesFolder } from '../../src/types/type-sources.ts';
import { temporaryFolder } from './opened.ts';

/** Creates a folder with the shipped types and one more file. It is deleted after the tests of the file. */
export function makeTypesFolder(sdl: string): string {
  const path = temporaryFolder();
  cpSync(shippedTypesFolder, path, { recursive: true });
  writeFileSync(join(path, 'added.graphql'), sdl);
  return path;
}

/** Creates a folder with one file of content types alone. It is deleted after the tests of the file. */
export function makeOwnTypesFolder(sdl: string): string {
  const path = temporaryFolder();
  writeFileSync(join(path, 'types.graphql'), sdl);
  return path;
}
