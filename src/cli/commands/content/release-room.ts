/**
 * Keeps an import with `--release` from drafts that the release cannot have, before anything is written.
 */
import { releaseFull } from '../../../base/errors.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import { limitsOf } from '../../../content/drafts/draft-record.ts';
import { importContent } from '../../../transfer/import/import-content.ts';
import { type ImportTerms, type Journal, openJournal } from '../../../transfer/import/journal.ts';
import type { LineResolver } from '../../../transfer/import/resolve-line.ts';
import { asDryRun, type Run } from './import-inputs.ts';

/** An import whose file was read once. */
interface PreparedImport {
  readonly run: Run;
  readonly terms: ImportTerms;
  readonly journal: Journal;
  readonly resolver: LineResolver;
  /** How many lines are not blank. */
  readonly lines: number;
}

/**
 * Refuses an import that would draft more assets than a release can have. Lines that change nothing need no draft: of a file with more lines
 * than that, a dry run finds how many need one. Errors: release_full, transfer_failed.
 */
export async function assertRoom(prepared: PreparedImport): Promise<void> {
  const { run, journal, lines } = prepared;
  const release = run.call.option('release');
  if (release === undefined) return;
  const limits = limitsOf(release);
  const deletions = [...journal.index.allSurplus()].length;
  if (lines + deletions <= limits.drafts) return;
  const isNew = run.settings.mode === 'create' || deletions > limits.drafts;
  if (isNew || (await countDrafts(prepared)) + deletions > limits.drafts) throw releaseFull(release, limits);
}

async function countDrafts({ run, terms, journal, resolver }: PreparedImport): Promise<number> {
  // Files are checked when lines are sent.
  const dryRun = asDryRun(run, async () => true);
  const own = openJournal({ terms, clock: systemClock, ids: randomIds });
  try {
    const { index, identity } = journal;
    const counting = { ...own, index, identity };
    await importContent({
      ...dryRun,
      journal: counting,
      resolver,
      isPruned: false,
      files: undefined,
      onProgress: () => undefined,
    });
    const { created, updated } = own.counts();
    return created + updated;
  } finally {
    own.remove();
  }
}
