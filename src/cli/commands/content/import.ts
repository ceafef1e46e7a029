/**
 * `colophon import`: lines of JSON into a server or into the configured store.
 */

import { checkFailed, transferFailed } from '../../../base/errors.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import { assertOther } from '../../../transfer/atomic-file.ts';
import { createFileImport, createFileSearch, type FileImport } from '../../../transfer/files/target-files.ts';
import { type ImportProgress, importContent } from '../../../transfer/import/import-content.ts';
import { writeInRun } from '../../../transfer/import/import-run.ts';
import { type InputFacts, indexLines } from '../../../transfer/import/index-lines.ts';
import { type Input, openInput, openStream } from '../../../transfer/import/input.ts';
import {
  forgetJournal,
  type ImportTerms,
  type Journal,
  openJournal,
} from '../../../transfer/import/journal.ts';
import { type PruneTerms, planPruning } from '../../../transfer/import/prune.ts';
import { createLineResolver, type LineResolver } from '../../../transfer/import/resolve-line.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { ContentTarget } from '../../../transfer/target/content-target.ts';
import type { CommandCall } from '../../command.ts';
import { progressScreen } from '../../progress-screen.ts';
import { tuneGc } from '../../serving/gc-tuning.ts';
import { listenForStopSignals } from '../../serving/stop-signals.ts';
import { asDryRun, type Run } from './import-inputs.ts';
import { readFiles, readPruning, readSettings } from './import-options.ts';
import { findKept } from './kept-lines.ts';
import { assertRoom } from './release-room.ts';
import { summarizeImport } from './summarize-import.ts';
import { withTarget } from './with-target.ts';

/** Runs `colophon import`. */
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
