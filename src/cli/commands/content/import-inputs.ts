/**
 * What an import is run with: its options, its inputs and how they become those of a dry run, the assets that it keeps, and the room that a
 * release has for its drafts.
 */
import { readFolder, toCatalog } from '../../../app/chosen-types.ts';
import type { Config } from '../../../app/config/config.ts';
import { checkFailed, releaseFull, usage } from '../../../base/errors.ts';
import { runNamePattern } from '../../../base/request-origin.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import { limitsOf } from '../../../content/drafts/draft.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { FileImport } from '../../../transfer/files/target-files.ts';
import { type ImportSettings, importContent } from '../../../transfer/import/import-content.ts';
import { indexLines } from '../../../transfer/import/index-lines.ts';
import { type Input, openInput } from '../../../transfer/import/input.ts';
import { type ImportTerms, type Journal, openJournal } from '../../../transfer/import/journal.ts';
import type { IsKept, PruneTerms } from '../../../transfer/import/prune.ts';
import { readUpdateKeys } from '../../../transfer/import/reference-keys.ts';
import { createLineResolver, type LineResolver } from '../../../transfer/import/resolve-line.ts';
import type { ContentTarget, Mode } from '../../../transfer/target/content-target.ts';
import { createDryRunTarget } from '../../../transfer/target/dry-run-target.ts';
import { createPlannedContent } from '../../../transfer/target/planned-content.ts';
import type { RetryPolicy } from '../../../transfer/target/retry-policy.ts';
import { shippedTypesFolder } from '../../../types/type-sources.ts';
import { type CommandCall, readWholeNumber } from '../../command.ts';

export interface Run {
  readonly call: CommandCall;
  readonly config: Config;
  readonly input: Input;
  readonly target: ContentTarget;
  readonly catalog?: Catalog | undefined;
  readonly settings: ImportSettings;
  readonly pruning: PruneTerms | undefined;
  readonly files: ImportFiles;
  readonly signal: AbortSignal;
  readonly policy: RetryPolicy;
  readonly uploads?: FileImport;
}

/**
 * Turns an import into a dry run: sequential batches, a target that writes nothing, and a journal in memory. `hasFile` tells whether there is
 * a file, or the import would upload it.
 */
export function asDryRun(run: Run, hasFile: (hash: string) => Promise<boolean>): Run {
  const { call, config, target, files, settings } = run;
  const { journal: _, ...kept } = files;
  const dryRun = createDryRunTarget({
    target,
    pending: createPlannedContent(),
    siteOwnerRequired: config.siteOwnerRequired,
    ids: randomIds,
    clock: systemClock,
    catalog: run.catalog ?? shippedTypes(),
    hasFile,
    forDrafts: call.option('release') !== undefined,
  });
  return { ...run, target: dryRun, files: kept, settings: { ...settings, concurrency: 1 } };
}

/** The shipped types, for a server whose types are unknown. */
function shippedTypes(): Catalog {
  console.error(
    'colophon: no --types and no COLOPHON_TYPES: checking against the types that come with Colophon, which the server may not have',
  );
  return toCatalog(readFolder(shippedTypesFolder));
}

/** Where an import reads, and what it keeps beside. */
interface ImportFiles {
  readonly input: string;
  readonly report: string;
  /** Absent for a stream unless it is given, since a stream cannot be read again. */
  readonly journal?: string;
}

const modes: readonly Mode[] = ['create', 'update', 'upsert', 'replace'];

/** The maximum size of a line. It applies even if the target accepts more. */
const maxLineBytes = 16 * 1024 * 1024;
const batchBytes = 1024 * 1024;

/** Reads how to import. Errors: usage. */
export function readSettings(call: CommandCall): ImportSettings {
  const text = call.option('mode') ?? 'create';
  const mode = modes.find((mode) => mode === text);
  if (!mode) throw usage(`--mode must be one of ${modes.join(', ')}`);
  const run = call.option('run');
  if (run !== undefined && !runNamePattern.test(run)) {
    throw usage('--run must be 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".."');
  }
  if (run !== undefined && call.option('release') !== undefined)
    throw usage('--run does not go with --release: drafts belong to no run');
  const by = readUpdateKeys(call.options('by'));
  if (typeof by === 'string') throw usage(`--by ${by}`);
  if (mode === 'create' && by.text !== '_id') throw usage('--by goes with --mode update, upsert or replace');
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

/** Reads what is deleted if the file lacks it; `undefined` for nothing. Errors: usage. */
export function readPruning(call: CommandCall): PruneTerms | undefined {
  const where = call.option('where');
  const values = call.options('value');
  const from = call.options('from');
  if (!call.has('prune')) {
    const needing = ['from', 'where', 'value', 'prune-max', 'expect', 'keep'];
    const stray = needing.find((name) => call.option(name) !== undefined || call.options(name).length > 0);
    if (stray !== undefined) throw usage(`--${stray} goes with --prune`);
    return undefined;
  }
  return {
    from,
    keep: call.options('keep'),
    ...(where !== undefined && { where }),
    ...(values.length > 0 && { values }),
    max: readLimit(call.option('prune-max') ?? '20%'),
    expect: readWholeNumber(call, 'expect', { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER }),
  };
}

function readLimit(text: string): PruneTerms['max'] {
  const [, number, sign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text) ?? [];
  if (number === undefined)
    throw usage('--prune-max must be a number of assets, or a percentage such as 30%');
  return { value: Number(number), unit: sign === '' ? 'assets' : 'percent' };
}

/** Reads where an import reads, and what it keeps beside. */
export function readFiles(call: CommandCall): ImportFiles {
  const [input = ''] = call.positionals;
  const name = input === '-' ? 'stdin' : input;
  const journal = call.option('journal') ?? (input === '-' ? undefined : `${input}.journal`);
  const report = call.option('report') ?? `${name}.failed.ndjson`;
  return { input, report, ...(journal === undefined ? {} : { journal }) };
}

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
