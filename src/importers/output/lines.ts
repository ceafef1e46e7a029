/**
 * Writes files of lines, such as one asset of JSON on each.
 */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';

/** Opens a file that lines are added to, with as little in memory as the disk allows. */
export function openLines(path: string) {
  const stream: WriteStream = createWriteStream(path);
  const failure = once(stream, 'error').then(([error]) => {
    throw error;
  });
  // It is awaited with every write.
  failure.catch(() => undefined);
  return {
    async write(line: string): Promise<void> {
      if (!stream.write(line)) await Promise.race([once(stream, 'drain'), failure]);
    },
    async end(): Promise<void> {
      stream.end();
      await Promise.race([once(stream, 'finish'), failure]);
    },
  };
}
