/**
 * Summarizes an import that has ended: prints the summary, writes the report, and keeps or deletes the journal.
 */
import { checkFailed, isDomainError, transferFailed } from '../../../base/errors.ts';
import type { Problem } from '../../../base/problems.ts';
import type { Counts, Journal } from '../../../transfer/import/journal.ts';
import { toProblem, writeReport } from '../../../transfer/import/write-report.ts';
import { grouped } from '../../../transfer/progress.ts';
import { printJson } from '../../output.ts';

/** An import that has ended, with or without a failure. */
export interface EndedImport {
  readonly journal: Journal;
  readonly reportFile: string;
  /** Absent when the import cannot be resumed. */
  readonly journalFile?: string;
  /** Why it ended early. */
  readonly failure?: unknown;
  /** Why the file lacks too much; known of a dry run only. */
  readonly excess?: string | undefined;
  readonly asJson: boolean;
  readonly isDryRun: boolean;
}

/** How many lines of each reason are shown; the report has all. */
const examplesShown = 3;
/** How many reasons are told apart. */
const maxGroups = 50;

/**
 * Prints the summary. Deletes the journal only when every line and every referenced asset is in the target. Errors:
 * transfer_failed when the import ended early, check_failed when lines failed, and errors of writing the report.
 */
export function summarizeImport(ended: EndedImport): void {
  const { journal, reportFile, failure } = ended;
  const isComplete = failure === undefined;
  const dangling = isComplete ? journal.dangling.count() : 0;
  const surplus = ended.isDryRun ? [...journal.index.allSurplus()] : [];
  const known = journal.counts();
  const deleted = known.deleted + surplus.length;
  const counts = { ...known, deleted, dangling, lines: journal.position().line };
  // An import that has written nothing has begun no run.
  const name = counts.created + counts.updated + counts.deleted > 0 ? journal.run() || undefined : undefined;
  const hasReport = counts.failed + dangling > 0;
  try {
    showFailures(journal, isComplete);
    for (const { id, type } of surplus) console.error(`would delete ${type} ${id}`);
    if (isComplete && counts.failed > 0 && journal.index.nextSurplus(1).length > 0)
      console.error('colophon: nothing is deleted, because lines failed');
    if (hasReport)
      writeReport(journal, { path: reportFile, processId: process.pid, withDangling: isComplete });
  } finally {
    if (isComplete && !hasReport) journal.remove();
    else journal.close();
  }
  const report = hasReport ? { report: reportFile } : {};
  if (ended.asJson)
    printJson({ complete: isComplete, ...counts, ...(name !== undefined && { run: name }), ...report });
  else console.log(summarize(counts, ended.isDryRun));
  if (!isComplete) throw interrupted(ended, counts.lines);
  if (ended.excess !== undefined) throw checkFailed(ended.excess);
  if (hasReport)
    throw checkFailed(`${describeFailures(counts)}; ${reportFile} has them, and can be imported`);
}

interface EndCounts extends Counts {
  readonly dangling: number;
}

function summarize(
  { created, updated, unchanged, deleted, failed, dangling }: EndCounts,
  isDryRun: boolean,
): string {
  const rest = dangling > 0 ? `, dangling references ${grouped(dangling)}` : '';
  const same = unchanged > 0 ? `, unchanged ${grouped(unchanged)}` : '';
  const gone = deleted > 0 ? `, deleted ${grouped(deleted)}` : '';
  const words = `created ${grouped(created)}, updated ${grouped(updated)}${same}${gone}, failed ${grouped(failed)}${rest}`;
  return isDryRun ? `dry run, nothing written: ${words}` : words;
}

function describeFailures({ failed, dangling }: EndCounts): string {
  const parts = [
    ...(failed > 0 ? [`${grouped(failed)} ${failed === 1 ? 'line' : 'lines'} failed`] : []),
    ...(dangling > 0
      ? [`${grouped(dangling)} ${dangling === 1 ? 'reference leads' : 'references lead'} nowhere`]
      : []),
  ];
  return parts.join(' and ');
}

/** Lines with the same reason. */
interface FailureGroup {
  count: number;
  readonly examples: string[];
}

/** Shows the reasons of failures, each with some of its lines and their number. */
function showFailures({ failures, dangling }: Journal, withDangling: boolean): void {
  const groups = new Map<string, FailureGroup>();
  const add = (line: number, { path, message }: Problem) => {
    const text = `${path === '' ? '' : `${path} `}${message}`;
    const cause = groups.size < maxGroups ? toCause(text) : '';
    const group = groups.get(cause) ?? { count: 0, examples: [] };
    groups.set(cause, group);
    if (group.count++ < examplesShown) group.examples.push(`line ${line}: ${text}`);
  };
  for (const { line, problems } of failures()) for (const problem of problems) add(line, problem);
  if (withDangling) for (const reference of dangling.all()) add(reference.line, toProblem(reference));
  for (const { count, examples } of groups.values()) {
    for (const example of examples) console.error(example);
    const more = count - examples.length;
    if (more > 0) console.error(`  and ${grouped(more)} more like this, ${grouped(count)} in all`);
  }
}

/** Removes what differs between failures of one cause: quoted texts, ids, numbers and indexes. */
const toCause = (text: string) =>
  text
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, 'id')
    .replaceAll(/\d[\d,.]*/g, '0');

function interrupted({ failure, journalFile }: EndedImport, lines: number) {
  const reason = failure instanceof Error ? failure.message : String(failure);
  const next =
    journalFile === undefined
      ? 'without a journal it cannot be continued'
      : `run the same command again${describeRunAdvice(failure)} to continue from the journal ${journalFile}`;
  const loss = isDomainError(failure, 'run_closed') ? revertedLines : '';
  // An unexpected error is shown with its stack.
  const cause = isDomainError(failure) ? undefined : failure;
  return transferFailed(`${reason}\nThe import reached line ${grouped(lines)}; ${next}${loss}`, cause);
}

const revertedLines =
  '. If the run was reverted, the lines imported in it were, too; --restart imports all lines';

const describeRunAdvice = (failure: unknown) =>
  isDomainError(failure, 'run_closed') || isDomainError(failure, 'run_foreign')
    ? ' with another --run, or without it,'
    : '';
