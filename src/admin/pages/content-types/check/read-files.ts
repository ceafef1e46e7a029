/**
 * Reads the SDL files that the user chooses.
 */
import type { TypeSource } from '../../../api.ts';

/** The server accepts at most 262,144 characters of SDL, each of which has at most 4 bytes. */
const maxBytes = 1_048_576;

/** Reads the files as UTF-8. Errors: Error with a message for the user. */
export const readFiles = (files: readonly File[]): Promise<TypeSource[]> => Promise.all(files.map(readFile));

async function readFile(file: File): Promise<TypeSource> {
  const { name, size } = file;
  if (size > maxBytes) throw new Error(`${name} has more than 1 MiB`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return { file: name, text };
  } catch (cause) {
    throw new Error(`${name} cannot be read as UTF-8 text`, { cause });
  }
}
