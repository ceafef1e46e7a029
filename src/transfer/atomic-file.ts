/**
 * Writes a file whole or not at all: to a temporary file beside it, which is renamed at the end. Only its owner may read it.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { transferFailed } from '../base/errors.ts';

/** Starts writing a file. Errors, of each call: transfer_failed when the path is not a regular file; the file system's. */
export function startWholeFile(path: string, processId: number) {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing && !existing.isFile()) throw transferFailed(`${path} is no file`);
  const partial = `${path}.${processId}.partial`;
  const descriptor = openSync(partial, 'w', 0o600);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    /** Appends the whole content. */
    write(content: string | Buffer): void {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    },
    /** Renames the temporary file to the final path. */
    finish() {
      fsyncSync(descriptor);
      close();
      renameSync(partial, path);
    },
    /** Deletes the temporary file, unless it was renamed. */
    discard() {
      close();
      rmSync(partial, { force: true });
    },
  };
}

/** Asserts that an output path is not the input file. Errors: transfer_failed. */
export function assertOther(path: string | undefined, input: string): void {
  const [written, read] = [path, input].map((name) => name && statSync(name, { throwIfNoEntry: false }));
  if (written && read && written.dev === read.dev && written.ino === read.ino) {
    throw transferFailed(`${path} is the input itself; name another file`);
  }
}
