/**
 * How an import ends: what is said of it, its report, and what becomes of its journal.
 */
import { checkFailed, isDomainError, type Problem, transferFailed } from '../../base/errors.ts';
import type { Journal } from '../../transfer/journal.ts';
import { grouped } from '../../transfer/progress.ts';
import { toProblem, writeReport } from '../../transfer/write-report.ts';
import { printJson } from '../output.ts';

/** An import that has ended, one way or another. */
export interface EndedImport {
  readonly journal: Journal;
  readonly reportFile: string;
  /** Absent when nothing can be gone on with. */
  readonly journalFile?: string;
  /** Why it ended before its time. */
  readonly failure?: unknown;
  readonly asJson: boolean;
}

/** How many failures are shown; the report has all. */
const maxShown = 20;

/**
 * Tells people how it ended. Only of an import of which every line is in the target, with all targets of its references, the journal goes.
 *
 * Errors: transfer_failed when it ended before its time, check_failed when lines failed, and what writing the report meets.
 */
export function concludeImport({ journal, reportFile, journalFile, failure, asJson }: EndedImport): void {
  const { created, updated, failed } = journal.counts();
  const { line: lines } = journal.position();
  const isComplete = failure === undefined;
  const dangling = isComplete ? journal.dangling.count() : 0;
  const hasReport = failed + dangling > 0;
  try {
    showFailures(journal, isComplete);
    if (hasReport)
      writeReport(journal, { path: reportFile, processId: process.pid, withDangling: isComplete });
  } finally {
    if (isComplete && !hasReport) journal.remove();
    else journal.close();
  }
  const report = hasReport ? { report: reportFile } : {};
  if (asJson) printJson({ complete: isComplete, lines, created, updated, failed, dangling, ...report });
  else console.log(`created ${grouped(created)}, updated ${grouped(updated)}, failed ${grouped(failed)}`);
  if (!isComplete) throw interrupted({ failure, lines, journalFile });
  if (!hasReport) return;
  const rest = dangling > 0 ? `; ${grouped(dangling)} references lead nowhere, of assets that are there` : '';
  throw checkFailed(`${grouped(failed)} lines failed${rest}; ${reportFile} has them, and can be imported`);
}

function showFailures({ failures, dangling }: Journal, withDangling: boolean): void {
  let shown = 0;
  const show = (line: number, problems: readonly Problem[]) => {
    for (const { path, message } of problems) {
      if (shown++ < maxShown) console.error(`line ${line}: ${path === '' ? '' : `${path} `}${message}`);
    }
  };
  for (const { line, problems } of failures()) {
    show(line, problems);
    if (shown > maxShown) break;
  }
  if (!withDangling) return;
  for (const reference of dangling.all()) {
    show(reference.line, [toProblem(reference)]);
    if (shown > maxShown) break;
  }
}

function interrupted({
  failure,
  lines,
  journalFile,
}: {
  failure: unknown;
  lines: number;
  journalFile: string | undefined;
}) {
  const reason = failure instanceof Error ? failure.message : String(failure);
  const next =
    journalFile === undefined
      ? 'without --journal nobody knows where to go on'
      : `the same command goes on there, by ${journalFile}`;
  // What was not expected is shown whole.
  const cause = isDomainError(failure) ? undefined : failure;
  return transferFailed(`${reason}\nThe import got to line ${grouped(lines)}; ${next}`, cause);
}
