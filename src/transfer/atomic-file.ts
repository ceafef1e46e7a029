/**
 * Writes a file that is there whole or not at all: under another name beside it, and renamed at the end.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { transferFailed } from '../base/errors.ts';

/** A file in the making. */
export interface WholeFile {
  /** Appends, whole. */
  write(text: string): void;
  /** Puts the file in its place. */
  finish(): void;
  /** Gives it up, unless it is finished. */
  discard(): void;
}

/** Begins a file. Errors, of each call: transfer_failed when the path is no file's, the file system's own. */
export function startWholeFile(path: string, processId: number): WholeFile {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing && !existing.isFile()) throw transferFailed(`${path} is no file`);
  const partial = `${path}.${processId}.partial`;
  const descriptor = openSync(partial, 'w');
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    write(text) {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    },
    finish() {
      fsyncSync(descriptor);
      close();
      renameSync(partial, path);
    },
    discard() {
      close();
      rmSync(partial, { force: true });
    },
  };
}

/** Refuses to write over what is read. Errors: transfer_failed. */
export function assertOther(path: string | undefined, input: string): void {
  const [written, read] = [path, input].map((name) => name && statSync(name, { throwIfNoEntry: false }));
  if (written && read && written.dev === read.dev && written.ino === read.ino) {
    throw transferFailed(`${path} is the input itself; name another file`);
  }
}
