/**
 * `colophon import`: lines of JSON into a server or into the configured store.
 */

import type { Config } from '../../app/config.ts';
import { usage } from '../../base/errors.ts';
import { randomIds, systemClock } from '../../base/runtime.ts';
import { loadTypes } from '../../model/load-types.ts';
import { readTypeSources } from '../../model/type-sources.ts';
import { createCheckingDoor } from '../../transfer/checking-door.ts';
import type { ContentDoor, Mode } from '../../transfer/door.ts';
import { type ImportProgress, type ImportSettings, importContent } from '../../transfer/import-content.ts';
import { type Input, openInput, openStream } from '../../transfer/input.ts';
import { forgetJournal, openJournal } from '../../transfer/journal.ts';
import { grouped, showProgress } from '../../transfer/progress.ts';
import type { Patience } from '../../transfer/retry.ts';
import { createSeenContent } from '../../transfer/seen-content.ts';
import { assertOther } from '../../transfer/whole-file.ts';
import type { Command, CommandCall } from '../command.ts';
import { progressScreen } from '../progress-screen.ts';
import { keepMemorySteady } from '../steady-memory.ts';
import { listenForStop } from '../stop-signals.ts';
import { readWholeNumber } from '../whole-number.ts';
import { concludeImport } from './conclude-import.ts';
import { doorOptions, doorSynopsis, withDoor } from './with-door.ts';

const importCommand: Command = {
  name: 'import',
  synopsis: `<file or -> [--mode create|update|upsert] [--by <field>] [--dry-run] [--report <file>] [--journal <file>] [--restart] [--concurrency <n>] [--batch-size <n>] [--json] ${doorSynopsis}`,
  summary:
    'read assets as lines of JSON into a server or the configured store; goes on where it was interrupted',
  positionals: 1,
  options: {
    ...doorOptions,
    mode: { type: 'string' },
    by: { type: 'string' },
    'dry-run': { type: 'boolean' },
    report: { type: 'string' },
    journal: { type: 'string' },
    restart: { type: 'boolean' },
    concurrency: { type: 'string' },
    'batch-size': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(call) {
    keepMemorySteady();
    const settings = readSettings(call);
    const files = readFiles(call);
    const { signal, ignore } = listenForStop(() =>
      console.error('colophon: stopping after what is under way; once more ends at once'),
    );
    try {
      const input = await openInputOf(files.input, signal);
      await withDoor(call, signal, ({ door, config, patience }) => {
        const run = { call, input, door, settings, files, signal, patience };
        return runImport(settings.isDryRun ? asDryRun(run, config) : run);
      });
    } finally {
      ignore();
    }
  },
};

/** The command. */
export const commands = [importCommand];

/** Where an import reads, and what it keeps beside. */
interface Files {
  readonly input: string;
  readonly report: string;
  /** Absent for a stream, unless it is given: nothing can be read again. */
  readonly journal?: string;
}

const modes: readonly Mode[] = ['create', 'update', 'upsert'];

/** The largest line there may be, whatever the target takes. */
const maxLineBytes = 16 * 1024 * 1024;
const batchBytes = 1024 * 1024;

function readSettings(call: CommandCall): ImportSettings {
  const text = call.option('mode') ?? 'create';
  const mode = modes.find((one) => one === text);
  if (!mode) throw usage(`--mode must be one of ${modes.join(', ')}`);
  const by = call.option('by') ?? '_id';
  if (mode === 'create' && by !== '_id') throw usage('--by goes with --mode update or upsert');
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
  // Whoever feeds it may take long, or not come back at all.
  signal.addEventListener('abort', () => process.stdin.destroy());
  return openStream('standard input', process.stdin);
}

/** All that one run needs. */
interface Run {
  readonly call: CommandCall;
  readonly input: Input;
  readonly door: ContentDoor;
  readonly settings: ImportSettings;
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly patience: Patience;
}

/** One batch after the other, to a door that writes nothing, and with a journal that ends with the process. */
function asDryRun(run: Run, config: Config): Run {
  const { door, files, settings } = run;
  const { journal: _, ...kept } = files;
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const seen = createSeenContent();
  const checking = createCheckingDoor({ ...config, door, catalog, seen, ids: randomIds });
  return { ...run, door: checking, files: kept, settings: { ...settings, concurrency: 1 } };
}

async function runImport(run: Run): Promise<void> {
  const { call, input, settings, files } = run;
  for (const path of [files.report, files.journal]) assertOther(path, files.input);
  if (call.has('restart') && files.journal !== undefined) forgetJournal(files.journal);
  const { mode, by } = settings;
  const terms = { input: input.identity, target: run.door.target, mode, by };
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
    await importContent({ ...run, journal, onProgress });
  } catch (error) {
    failure = error;
  } finally {
    display.end();
  }
  const { report: reportFile, journal: journalFile } = files;
  const ended = { journal, reportFile, failure, asJson: call.has('json'), isDryRun: settings.isDryRun };
  concludeImport(journalFile === undefined ? ended : { ...ended, journalFile });
}
