/**
 * `colophon import`: reads lines of JSON into a server or into the configured store, keeps the journal by which an import that ended early
 * goes on, and prints the summary with the reasons of failures. `import-inputs.ts` reads the options.
 */
import { checkFailed, isDomainError, transferFailed } from '../../../base/errors.ts';
import type { Problem } from '../../../base/problems.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import { assertOther } from '../../../transfer/atomic-file.ts';
import { createFileImport, createFileSearch, type FileImport } from '../../../transfer/files/target-files.ts';
import { type ImportProgress, importContent } from '../../../transfer/import/import-content.ts';
import { writeInRun } from '../../../transfer/import/import-run.ts';
import { type InputFacts, indexLines } from '../../../transfer/import/index-lines.ts';
import { type Input, openInput, openStream } from '../../../transfer/import/input.ts';
import {
  type Counts,
  forgetJournal,
  type ImportTerms,
  type Journal,
  openJournal,
} from '../../../transfer/import/journal.ts';
import { type PruneTerms, planPruning } from '../../../transfer/import/prune.ts';
import { createLineResolver, type LineResolver } from '../../../transfer/import/resolve-line.ts';
import { toProblem, writeReport } from '../../../transfer/import/write-report.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { ContentTarget } from '../../../transfer/target/content-target.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, progressScreen } from '../../output.ts';
import { tuneGc } from '../../serving/gc-tuning.ts';
import { listenForStopSignals } from '../../serving/stop-signals.ts';
import {
  asDryRun,
  assertRoom,
  findKept,
  type Run,
  readFiles,
  readPruning,
  readSettings,
} from './import-inputs.ts';
import { withTarget } from './with-target.ts';

export async function importAssets(call: CommandCall): Promise<void> {
  tuneGc();
  const settings = readSettings(call);
  const files = readFiles(call);
  const pruning = readPruning(call);
  const { signal, ignore } = listenForStopSignals(() =>
    console.error('colophon: stopping after what is under way; once more ends at once'),
  );
  try {
    const input = await openInputOf(files.input, signal);
    const purpose = settings.isDryRun ? 'read' : 'write';
    try {
      await withTarget(call, { signal, purpose }, async ({ target, config, policy, catalog, openFiles }) => {
        const run = { call, config, input, target, catalog, settings, pruning, files, signal, policy };
        const folder = call.option('files');
        if (!settings.isDryRun && folder === undefined) return runImport(run);
        const targetFiles = await openFiles();
        const uploads =
          folder === undefined
            ? undefined
            : createFileImport(targetFiles, { folder, isDryRun: settings.isDryRun });
        const prepared = { ...run, ...(uploads && { uploads }) };
        try {
          if (!settings.isDryRun) return await runImport(prepared).finally(() => reportDamaged(uploads));
          return await runImport(asDryRun(prepared, createFileSearch([uploads, targetFiles])));
        } finally {
          await targetFiles.close();
        }
      });
    } finally {
      input.close();
    }
  } finally {
    ignore();
  }
}

/** Lists the files that could not be uploaded; the lines that name them were refused. */
function reportDamaged(uploads: FileImport | undefined): void {
  for (const hash of uploads?.damaged ?? [])
    console.error(`colophon: the file ${hash} is damaged in the folder, and was not uploaded`);
}

async function openInputOf(path: string, signal: AbortSignal): Promise<Input> {
  if (path !== '-') return openInput(path);
  // The process that writes to standard input may be slow or hang.
  signal.addEventListener('abort', () => process.stdin.destroy());
  try {
    return await openStream('standard input', process.stdin);
  } catch (error) {
    throw signal.aborted
      ? transferFailed('stopped before standard input ended; nothing was imported')
      : error;
  }
}

/** The target with the run of the import, whose name is shown. */
function inRun({ call, target }: Run, journal: Journal): ContentTarget {
  const chosen = call.option('run');
  return writeInRun(target, {
    journal,
    clock: systemClock,
    ids: randomIds,
    ...(chosen !== undefined && { chosen }),
    onRun: (name, closed) => {
      if (closed !== undefined) console.error(`colophon: the run ${closed} is closed or reverted`);
      console.error(`colophon: run ${name}`);
    },
  });
}

/** Reads the file for the first time, unless the journal has done so. Returns why the file lacks too much, if it does. */
async function prepareImport(
  run: Run,
  { terms, journal, resolver }: { terms: ImportTerms; journal: Journal; resolver: LineResolver },
): Promise<string | undefined> {
  const { input, target, settings, pruning, signal } = run;
  const { index, identity } = journal;
  let excess: string | undefined;
  let lines = 0;
  if (index.isComplete()) return undefined;
  await index.fill(async () => {
    const facts = await indexLines({ ...settings, input, index, target, identity, resolver, signal });
    warnOfDates(facts);
    lines = facts.lines;
    if (!pruning) return;
    if (facts.isCut || facts.lines < pruning.expect) throw checkFailed(describeCut(input, facts, pruning));
    const { isKept, close } = await findKept(run, terms);
    excess = await planPruning({ index, target, terms: pruning, isKept, signal }).finally(close);
    if (excess !== undefined && !settings.isDryRun) throw checkFailed(excess);
  });
  await assertRoom({ run, terms, journal, resolver, lines });
  return excess;
}

function warnOfDates({ doubtful: { count, examples } }: InputFacts): void {
  if (count === 0) return;
  const shown = examples.map(({ line, path, value }) => `line ${line}: ${path} ${value}`).join('; ');
  console.error(
    `colophon: warning: ${grouped(count)} dates are in January 1970 and look like seconds, but dates are in milliseconds: ${shown}`,
  );
}

function describeCut({ name }: Input, { lines, isCut }: InputFacts, { expect }: PruneTerms): string {
  const reason = isCut
    ? 'its last line has no line break or cannot be read'
    : `it has ${grouped(lines)} lines, fewer than --expect ${grouped(expect)}`;
  return `${name} looks cut: ${reason}; with --prune, nothing of it is imported`;
}

async function runImport(run: Run): Promise<void> {
  const { call, input, settings, files, catalog, pruning } = run;
  for (const path of [files.report, files.journal]) assertOther(path, files.input);
  if (call.has('restart') && files.journal !== undefined) forgetJournal(files.journal);
  const { mode, by, isDryRun } = settings;
  const namespace = call.option('ids');
  const prune = pruning ? JSON.stringify([pruning.from, pruning.where, pruning.values, pruning.keep]) : 'off';
  const terms = {
    input: input.identity,
    target: run.target.name,
    mode,
    by: by.text,
    ids: namespace ?? 'off',
    prune,
  };
  const journal = openJournal({
    ...(files.journal === undefined ? {} : { file: files.journal }),
    terms,
    clock: systemClock,
    ids: randomIds,
  });
  const { index, identity } = journal;
  const resolver = createLineResolver({
    index,
    identity,
    catalog,
    by,
    creates: mode !== 'update',
    namespace,
  });
  let excess: string | undefined;
  try {
    excess = await prepareImport(run, { terms, journal, resolver });
  } catch (error) {
    // Nothing was sent, so the next attempt begins anew.
    journal.remove();
    throw error;
  }
  if (journal.isResumed) console.error(`colophon: going on behind line ${grouped(journal.position().line)}`);
  const display = showProgress({ screen: progressScreen(), clock: systemClock });
  let failure: unknown;
  try {
    const onProgress = ({ lines, failed, bytes }: ImportProgress) =>
      display.update({ lines, failed, done: bytes, total: input.size });
    // Drafts belong to no run.
    const hasRun = !isDryRun && call.option('release') === undefined;
    const target = hasRun ? inRun(run, journal) : run.target;
    const isPruned = pruning !== undefined;
    await importContent({ ...run, target, journal, resolver, isPruned, files: run.uploads, onProgress });
  } catch (error) {
    failure = error;
  } finally {
    display.end();
  }
  const { report: reportFile, journal: journalFile } = files;
  const ended = { journal, reportFile, failure, excess, asJson: call.has('json'), isDryRun };
  summarizeImport(journalFile === undefined ? ended : { ...ended, journalFile });
}

/** An import that has ended, with or without a failure. */
interface EndedImport {
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
function summarizeImport(ended: EndedImport): void {
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
    if (isComplete && counts.failed > 0 && journal.index.countSurplus() > 0)
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
