/** What the tests of a file have opened and not closed: `close-opened.ts` closes it after the file, what was opened last first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const opened = new Set<() => unknown>();

/** Returns a function that closes something once. It is called after the tests of the file, if no test has called it. */
export function closeAfterFile<Result>(close: () => Result): () => Result {
  let closed: { readonly result: Result } | undefined;
  const closeOnce = () => {
    opened.delete(closeOnce);
    closed ??= { result: close() };
    return closed.result;
  };
  opened.add(closeOnce);
  return closeOnce;
}

/** Closes everything, although some of it fails. Throws the first failure. */
export async function closeOpened(): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...opened].reverse()) {
    try {
      await close();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Creates an empty folder, which is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'colophon-test-'));
  closeAfterFile(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
