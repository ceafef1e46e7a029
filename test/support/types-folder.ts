/** A folder of content types: the shipped types and those that a test adds. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedTypesFolder } from '../../src/model/types/type-sources.ts';
import { temporaryFolder } from './opened.ts';

/** Creates a folder with the shipped types and one more file. It is deleted after the tests of the file. */
export function makeTypesFolder(sdl: string): string {
  const path = temporaryFolder();
  cpSync(shippedTypesFolder, path, { recursive: true });
  writeFileSync(join(path, 'added.graphql'), sdl);
  return path;
}
