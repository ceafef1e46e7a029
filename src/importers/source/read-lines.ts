/**
 * Reads the lines of a file. Only a line feed ends a line: texts in JSON may hold other separators, such as U+2028.
 */
import { createReadStream } from 'node:fs';

/** Reads the lines one after the other, without their line feeds. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const [first = '', ...others] = String(chunk).split('\n');
    begun.push(first);
    for (const next of others) {
      yield begun.join('');
      begun = [next];
    }
  }
  const last = begun.join('');
  if (last !== '') yield last;
}
