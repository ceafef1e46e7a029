/**
 * `colophon backup`: writes the configured store to a file, and fills an empty store from one.
 */
import { existsSync } from 'node:fs';
import { backUp, restore as restoreStore } from '../../../app/compose/compose-backup.ts';
import { readConfig } from '../../../app/config/config.ts';
import { transferFailed } from '../../../base/errors.ts';
import { systemClock } from '../../../base/runtime.ts';
import type { BackupHeader } from '../../../transfer/backup/backup-records.ts';
import type { CopiedFiles } from '../../../transfer/files/copy-files.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { CommandCall } from '../../command.ts';
import { assertComplete, describeDamage } from '../../describe-damage.ts';
import { printJson, progressScreen } from '../../output.ts';
import { listenForStopSignals } from '../../serving/stop-signals.ts';
import { createRuntime } from '../command-runtime.ts';

export async function create(call: CommandCall): Promise<void> {
  const path = fileOf(call);
  if (!call.has('force') && existsSync(path)) throw transferFailed(`${path} exists; --force replaces it`);
  const { header, totals, bytes, damaged, files } = await watched(({ signal, update }) =>
    backUp(readConfig(process.env), {
      path,
      processId: process.pid,
      files: call.option('files'),
      runtime: createRuntime(call),
      signal,
      progress: (lines) => update({ lines, done: lines }),
    }),
  );
  const assets = Object.values(totals.assets).reduce((sum, count) => sum + count, 0);
  const { entries } = totals;
  if (!header.isOneMoment) {
    console.error(
      'colophon: this store keeps no change log, so the backup has what was written meanwhile only in part',
    );
  }
  if (call.has('json'))
    printJson({ file: path, ...describe(header), assets, entries, bytes, damaged, files });
  else {
    console.log(`saved ${describeCounts({ assets, entries })} to ${path} (${grouped(bytes)} bytes)`);
    printFiles(files);
  }
  assertComplete([
    describeDamage(damaged, 'the backup'),
    reportFiles(files, { from: 'the place of files', to: 'the folder' }),
  ]);
}

function printFiles(files: CopiedFiles | undefined): void {
  if (files)
    console.log(`copied ${grouped(files.copied)} files; ${grouped(files.present)} were there already`);
}

/** Lists the files that were mended, and those that could not be copied; returns what to say of these, if there are some. */
function reportFiles(
  files: CopiedFiles | undefined,
  { from, to }: { from: string; to: string },
): string | undefined {
  if (!files) return undefined;
  for (const hash of files.mended)
    console.error(`colophon: the file ${hash} was damaged in ${to}, and is copied again`);
  if (files.missing.length === 0) return undefined;
  for (const hash of files.missing) console.error(`colophon: the file ${hash} is missing or damaged`);
  return `${grouped(files.missing.length)} files are missing or damaged in ${from}`;
}

export async function restore(call: CommandCall): Promise<void> {
  const path = fileOf(call);
  const { header, records, notices, files } = await watched(({ signal, update }) =>
    restoreStore(readConfig(process.env), {
      path,
      isReplacing: call.has('replace'),
      files: call.option('files'),
      runtime: createRuntime(call),
      signal,
      progress: ({ records: lines, bytes, totalBytes }) => update({ lines, done: bytes, total: totalBytes }),
    }),
  );
  for (const notice of notices) console.error(`colophon: ${notice}`);
  if (call.has('json')) printJson({ file: path, ...describe(header), ...records, files });
  else {
    const createdAt = new Date(header.createdAtMs).toISOString();
    console.log(`restored ${describeCounts(records)} from ${path}, which was created at ${createdAt}`);
    printFiles(files);
  }
  assertComplete([reportFiles(files, { from: 'the folder', to: 'the place of files' })]);
}

const describeCounts = ({ assets, entries }: { assets: number; entries: number }) =>
  `${grouped(assets)} assets and ${grouped(entries)} changes`;

const fileOf = ({ positionals: [file = ''] }: CommandCall) => file;

const describe = ({ store, seq, createdAtMs, writtenBy }: BackupHeader) => ({
  store,
  seq,
  createdAt: createdAtMs,
  writtenBy,
});

interface Watch {
  readonly signal: AbortSignal;
  readonly update: ReturnType<typeof showProgress>['update'];
}

/** Runs work whose progress is shown, and which a signal stops. */
async function watched<Outcome>(work: (watch: Watch) => Promise<Outcome>): Promise<Outcome> {
  const { signal, ignore } = listenForStopSignals(() => console.error('colophon: stopping'));
  const display = showProgress({ screen: progressScreen(), clock: systemClock });
  try {
    return await work({ signal, update: display.update });
  } finally {
    display.end();
    ignore();
  }
}
