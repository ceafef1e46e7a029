/**
 * Reads the lines of a file. Only a line feed ends a line: texts in JSON may hold other separators, such as U+2028.
 */
import { createReadStream } from 'node:fs';
import { SourceError } from '../source-error.ts';

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
