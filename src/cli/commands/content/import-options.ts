/**
 * The options of `colophon import`.
 */
import { usage } from '../../../base/errors.ts';
import { runNamePattern } from '../../../base/request-origin.ts';
import type { ImportSettings } from '../../../transfer/import/import-content.ts';
import type { PruneTerms } from '../../../transfer/import/prune.ts';
import { readUpdateKeys } from '../../../transfer/import/update-keys.ts';
import type { Mode } from '../../../transfer/target/content-target.ts';
import type { CommandCall } from '../../command.ts';
import { readWholeNumber } from '../../whole-number.ts';

/** Where an import reads, and what it keeps beside. */
export interface ImportFiles {
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
