/**
 * The names of files: cleaned of what a path, a header or a file system would misread.
 */
import { invalidParameter } from '../base/errors.ts';

/** The maximum length of a name in UTF-8, which is that of file systems. */
const maxNameBytes = 255;

/** Control characters, line separators, halves of surrogate pairs, and characters that reverse the direction of a text. */
const hidden = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Characters that end a value in a header, or that some file system refuses. */
const refused = /["<>:|?*]/g;

/**
 * Cleans the name of a file: only what follows the last slash or backslash, in Unicode form C, without control characters and without
 * spaces at its ends. Errors: invalid_parameter `name` when nothing is left, or more than 255 bytes.
 */
export function cleanFileName(given: string): string {
  const name = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replace(hidden, '')
    .replace(refused, '_')
    .normalize('NFC')
    .replace(/^\s+|[\s.]+$/g, '');
  if (name === '') throw invalidParameter('name', 'has nothing that can name a file');
  if (Buffer.byteLength(name) > maxNameBytes)
    throw invalidParameter('name', `is longer than ${maxNameBytes} bytes in UTF-8`);
  return name;
}

/** Returns a name without its ending. */
export const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '');
