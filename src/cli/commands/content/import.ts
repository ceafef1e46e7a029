/**
 * `colophon import`: lines of JSON into a server or into the configured store.
 */

import { readFolder, toCatalog } from '../../../app/chosen-types.ts';
import type { Config } from '../../../app/config/config.ts';
import { usage } from '../../../base/errors.ts';
import { runNamePattern } from '../../../base/request-origin.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { shippedTypesFolder } from '../../../model/types/type-sources.ts';
import { assertOther } from '../../../transfer/atomic-file.ts';
import { openHashedFiles } from '../../../transfer/files/hashed-files.ts';
import { createFileImport, type FileImport } from '../../../transfer/files/target-files.ts';
import {
  type ImportProgress,
  type ImportSettings,
  importContent,
} from '../../../transfer/import/import-content.ts';
import { writeInRun } from '../../../transfer/import/import-run.ts';
import { type Input, openInput, openStream } from '../../../transfer/import/input.ts';
import { forgetJournal, type Journal, openJournal } from '../../../transfer/import/journal.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { ContentTarget, Mode } from '../../../transfer/target/content-target.ts';
import { createDryRunTarget } from '../../../transfer/target/dry-run-target.ts';
import { createPlannedContent } from '../../../transfer/target/planned-content.ts';
import type { RetryPolicy } from '../../../transfer/target/retry-policy.ts';
import type { CommandCall } from '../../command.ts';
import { progressScreen } from '../../progress-screen.ts';
import { tuneGc } from '../../serving/gc-tuning.ts';
import { listenForStopSignals } from '../../serving/stop-signals.ts';
import { readWholeNumber } from '../../whole-number.ts';
import { summarizeImport } from './summarize-import.ts';
import { withTarget } from './with-target.ts';

/** Runs `colophon import`. */
export async function importAssets(call: CommandCall): Promise<void> {
  tuneGc();
  const settings = readSettings(call);
  const files = readFiles(call);
  const { signal, ignore } = listenForStopSignals(() =>
    console.error('colophon: stopping after what is under way; once more ends at once'),
  );
  try {
    const input = await openInputOf(files.input, signal);
    const purpose = settings.isDryRun ? 'read' : 'write';
    await withTarget(call, { signal, purpose }, async ({ target, config, policy, catalog, openFiles }) => {
      const run = { call, input, target, settings, files, signal, policy };
      if (settings.isDryRun) return runImport(asDryRun(run, config, catalog ?? shippedTypes()));
      const folder = call.option('files');
      if (folder === undefined) return runImport(run);
      const targetFiles = await openFiles();
      const uploads = createFileImport(targetFiles, openHashedFiles(folder));
      return runImport({ ...run, uploads }).finally(targetFiles.close);
    });
  } finally {
    ignore();
  }
}

/** Where an import reads, and what it keeps beside. */
interface Files {
  readonly input: string;
  readonly report: string;
  /** Absent for a stream unless it is given, since a stream cannot be read again. */
  readonly journal?: string;
}

const modes: readonly Mode[] = ['create', 'update', 'upsert', 'replace'];

/** The maximum size of a line. It applies even if the target accepts more. */
const maxLineBytes = 16 * 1024 * 1024;
const batchBytes = 1024 * 1024;

function readSettings(call: CommandCall): ImportSettings {
  const text = call.option('mode') ?? 'create';
  const mode = modes.find((mode) => mode === text);
  if (!mode) throw usage(`--mode must be one of ${modes.join(', ')}`);
  const run = call.option('run');
  if (run !== undefined && !runNamePattern.test(run)) {
    throw usage('--run must be 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".."');
  }
  const by = call.option('by') ?? '_id';
  if (mode === 'create' && by !== '_id') throw usage('--by goes with --mode update, upsert or replace');
  const concurrency = readWholeNumber(call, 'concurrency', { fallback: 4, min: 1, max: 64 });
  const lines = readWholeNumber(call, 'batch-size', { fallback: 500, min: 1, max: 1000 });
  return {
    mode,
    by,
    concurrency,
    limits: { lines, bytes: batchBytes },
    maxLineBytes,
    isDryRun: call.has('dry-run'),
  };
}

function readFiles(call: CommandCall): Files {
  const [input = ''] = call.positionals;
  const name = input === '-' ? 'stdin' : input;
  const journal = call.option('journal') ?? (input === '-' ? undefined : `${input}.journal`);
  const report = call.option('report') ?? `${name}.failed.ndjson`;
  return { input, report, ...(journal === undefined ? {} : { journal }) };
}

async function openInputOf(path: string, signal: AbortSignal): Promise<Input> {
  if (path !== '-') return openInput(path);
  // The process that writes to standard input may be slow or hang.
  signal.addEventListener('abort', () => process.stdin.destroy());
  return openStream('standard input', process.stdin);
}

/** The inputs of one run. */
interface Run {
  readonly call: CommandCall;
  readonly input: Input;
  readonly target: ContentTarget;
  readonly settings: ImportSettings;
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly policy: RetryPolicy;
  readonly uploads?: FileImport;
}

/** Turns a run into a dry run: sequential batches, a target that writes nothing, and a journal in memory. */
function asDryRun(run: Run, config: Config, catalog: Catalog): Run {
  const { target, files, settings } = run;
  const { journal: _, ...kept } = files;
  const { siteOwnerRequired } = config;
  const pending = createPlannedContent();
  const [ids, clock] = [randomIds, systemClock];
  const dryRun = createDryRunTarget({ target, catalog, pending, siteOwnerRequired, ids, clock });
  return { ...run, target: dryRun, files: kept, settings: { ...settings, concurrency: 1 } };
}

/** The shipped types, for a server whose types are unknown. */
function shippedTypes(): Catalog {
  console.error(
    'colophon: no --types and no COLOPHON_TYPES: checking against the types that come with Colophon, which the server may not have',
  );
  return toCatalog(readFolder(shippedTypesFolder));
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

async function runImport(run: Run): Promise<void> {
  const { call, input, settings, files } = run;
  for (const path of [files.report, files.journal]) assertOther(path, files.input);
  if (call.has('restart') && files.journal !== undefined) forgetJournal(files.journal);
  const { mode, by } = settings;
  const terms = { input: input.identity, target: run.target.name, mode, by };
  const journal = openJournal({
    ...(files.journal === undefined ? {} : { file: files.journal }),
    terms,
    clock: systemClock,
    ids: randomIds,
  });
  if (journal.isResumed) console.error(`colophon: going on behind line ${grouped(journal.position().line)}`);
  const display = showProgress({ verb: 'imported', screen: progressScreen(), clock: systemClock });
  const total = input.size === undefined ? {} : { total: input.size };
  let failure: unknown;
  try {
    const onProgress = ({ lines, failed, bytes }: ImportProgress) =>
      display.update({ lines, failed, done: bytes, ...total });
    const target = settings.isDryRun ? run.target : inRun(run, journal);
    await importContent({ ...run, target, journal, files: run.uploads, onProgress });
  } catch (error) {
    failure = error;
  } finally {
    display.end();
  }
  const { report: reportFile, journal: journalFile } = files;
  const ended = { journal, reportFile, failure, asJson: call.has('json'), isDryRun: settings.isDryRun };
  summarizeImport(journalFile === undefined ? ended : { ...ended, journalFile });
}
