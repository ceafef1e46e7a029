/**
 * The assets of the files that `colophon import --prune --keep` names: they stay, though their lines are not imported.
 */
import { checkFailed } from '../../../base/errors.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import { indexLines } from '../../../transfer/import/index-lines.ts';
import { openInput } from '../../../transfer/import/input.ts';
import { type ImportTerms, type Journal, openJournal } from '../../../transfer/import/journal.ts';
import type { IsKept } from '../../../transfer/import/prune.ts';
import { createLineResolver } from '../../../transfer/import/resolve-line.ts';
import type { Run } from './import-inputs.ts';

/** Finds the assets by their `_id`s and keys, as an import finds them. Errors: check_failed, for a file that looks cut. */
export async function findKept(run: Run, terms: ImportTerms): Promise<{ isKept: IsKept; close(): void }> {
  const journals: Journal[] = [];
  const close = () => {
    for (const journal of journals) journal.remove();
  };
  try {
    for (const path of run.pruning?.keep ?? []) {
      const journal = openJournal({ terms, clock: systemClock, ids: randomIds });
      journals.push(journal);
      await indexKept(run, { path, journal });
    }
  } catch (error) {
    close();
    throw error;
  }
  return { isKept: (id) => journals.some(({ index }) => index.findLine(id) !== undefined), close };
}

/** Indexes the lines of one file into a separate journal, which is in memory. */
async function indexKept(
  { settings, target, catalog, signal, call }: Run,
  { path, journal: { index, identity } }: { path: string; journal: Journal },
): Promise<void> {
  const { by, mode } = settings;
  const namespace = call.option('ids');
  const resolver = createLineResolver({
    index,
    identity,
    catalog,
    by,
    creates: mode !== 'update',
    namespace,
  });
  const input = await openInput(path);
  try {
    const { isCut } = await indexLines({ ...settings, input, index, target, identity, resolver, signal });
    if (isCut) throw checkFailed(`${path} looks cut: its last line has no line break or cannot be read`);
  } finally {
    input.close();
  }
}
