/**
 * Writes the output of a command to a file, whole or not at all, or to standard output.
 */
import { startWholeFile } from '../../transfer/atomic-file.ts';

/** Writes texts one after the other; without a path, to standard output. Errors: those of the texts and of the file system. */
export const writeTexts = (texts: AsyncIterable<string>, path: string | undefined): Promise<void> =>
  path === undefined ? print(texts) : save(texts, path);

/** Prints the texts. A reader that closes the pipe, such as `head`, ends the output without an error. */
async function print(texts: AsyncIterable<string>): Promise<void> {
  try {
    for await (const text of texts) await write(text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function save(texts: AsyncIterable<string>, path: string): Promise<void> {
  const file = startWholeFile(path, process.pid);
  try {
    for await (const text of texts) file.write(text);
    file.finish();
  } finally {
    file.discard();
  }
}
