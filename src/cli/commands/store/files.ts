/**
 * `colophon files …`: lists, deletes and checks the files of the configured store, also while servers use it.
 */
import { existsSync } from 'node:fs';
import { composeFiles, type FileParts } from '../../../app/compose/compose-files.ts';
import { readConfig } from '../../../app/config/config.ts';
import { checkFailed, transferFailed } from '../../../base/errors.ts';
import { systemClock } from '../../../base/runtime.ts';
import { type FileRecord, toFileRecord } from '../../../content/files/file-record.ts';
import { deletedAfterMs, orphanedAfterMs } from '../../../content/files/unused-files.ts';
import { mediaTypeOf } from '../../../text/media-types.ts';
import { openHashedFiles } from '../../../transfer/files/hashed-files.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import { type FileFault, verifyFiles } from '../../../transfer/verify/verify-files.ts';
import { type CommandCall, readWholeNumber } from '../../command.ts';
import { printJson, printTable, progressScreen } from '../../output.ts';
import { createRuntime } from '../command-runtime.ts';
import type { Purpose } from '../content/with-target.ts';

export async function list(call: CommandCall): Promise<void> {
  await withFiles(call, 'read', async ({ records, uses }) => {
    const files: (ReturnType<typeof toShown> & { readonly uses: number })[] = [];
    for await (const file of records()) {
      let count = 0;
      for await (const _ of uses.each(file.hash)) count++;
      files.push({ ...toShown(file), uses: count });
    }
    if (call.has('json')) return printJson(files);
    printTable(
      ['hash', 'bytes', 'uploaded', 'uses', 'name'],
      files.map(({ hash, bytes, uploadedAt, uses: count, name }) => [
        hash,
        grouped(bytes),
        uploadedAt,
        String(count),
        name,
      ]),
    );
  });
}

const dayMs = 86_400_000;

export async function prune(call: CommandCall): Promise<void> {
  const days = readWholeNumber(call, 'days', { fallback: 7, min: 0, max: 36_500 });
  const isDryRun = call.has('dry-run');
  const uploadedTo = systemClock.nowMs() - days * dayMs;
  await withFiles(call, isDryRun ? 'read' : 'write', async (parts) => {
    const { files, waiting } = isDryRun
      ? { files: await findUnused(parts, uploadedTo), waiting: 0 }
      : await deleteUnused(parts, uploadedTo);
    const orphans = call.has('orphans') ? await pruneOrphans(parts, isDryRun) : 0;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (call.has('json')) return printJson({ files: files.map(toShown), waiting, orphans });
    for (const { hash, name } of files) console.log(`${hash}  ${name}`);
    const others = call.has('orphans') ? `, and bytes without a record, ${grouped(orphans)} times` : '';
    const verb = isDryRun ? 'would delete' : 'deleted';
    if (waiting > 0)
      console.log(`${grouped(waiting)} more are unused since now, and can be deleted in an hour`);
    console.log(`${verb} ${grouped(files.length)} files (${grouped(bytes)} bytes)${others}`);
  });
}

async function findUnused({ unused, uses }: FileParts, uploadedTo: number): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for await (const { asset } of unused.each({ uploadedTo })) {
    const file = toFileRecord(asset);
    if ((await uses.findUser(file.hash)) === undefined) found.push(file);
  }
  return found;
}

interface Pruned {
  readonly files: readonly FileRecord[];
  /** How many files are unused, but had uses. */
  readonly waiting: number;
}

/**
 * Deletes unused files. A recorded use may be that of a write that a server has begun, so where servers write, a file that had uses is
 * deleted an hour after it was marked.
 */
async function deleteUnused({ unused, isServed }: FileParts, uploadedTo: number): Promise<Pruned> {
  const files: FileRecord[] = [];
  for await (const file of unused.each({ uploadedTo }))
    if ((await unused.deleteNow(file)) === 'deleted') files.push(toFileRecord(file.asset));
  const markedTo = systemClock.nowMs() - ((await isServed()) ? deletedAfterMs : 0);
  let waiting = 0;
  for await (const file of unused.each({ uploadedTo, isMarked: true })) {
    const look = await unused.look(file, { markedTo });
    if (look === 'deleted') files.push(toFileRecord(file.asset));
    else if (look === 'waiting') waiting++;
  }
  return { files, waiting };
}

async function pruneOrphans({ unused, place }: FileParts, isDryRun: boolean): Promise<number> {
  let count = 0;
  for await (const key of unused.eachOrphan(systemClock.nowMs() - orphanedAfterMs)) {
    if (!isDryRun) await place.delete(key);
    count++;
  }
  return count;
}

export async function verify(call: CommandCall): Promise<void> {
  const [folder] = call.positionals;
  if (folder !== undefined) return verifyFolder(call, folder);
  await withFiles(call, 'read', async (parts) => {
    const faults: FileFault[] = [];
    const checking = verifyFiles({ ...parts, records: parts.records(), isWhole: true });
    const count = await watchChecks(checking, (checked) => {
      if ('fault' in checked) faults.push(checked);
      return checked.file.bytes;
    });
    if (call.has('json')) printJson({ files: count, faults: faults.map(toShownFault) });
    else printFaults(faults.map(describe), count);
    if (faults.length > 0)
      throw checkFailed('Files are missing or damaged. Upload them again, or restore them from a backup');
  });
}

/** Checks a folder with files by their hash. Errors: check_failed; transfer_failed when there is no such folder. */
async function verifyFolder(call: CommandCall, folder: string): Promise<void> {
  if (!existsSync(folder)) throw transferFailed(`there is no folder ${folder}`);
  const files = openHashedFiles(folder);
  const damaged: string[] = [];
  async function* check() {
    for await (const hash of files.list()) yield { hash, isIntact: await files.has(hash) };
  }
  const count = await watchChecks(check(), ({ hash, isIntact }) => {
    if (!isIntact) damaged.push(hash);
    return 0;
  });
  const fault = 'are not those that were copied';
  if (call.has('json')) printJson({ files: count, faults: damaged.map((hash) => ({ hash, fault })) });
  else
    printFaults(
      damaged.map((hash) => `the bytes of ${files.pathOf(hash)} ${fault}`),
      count,
    );
  if (damaged.length > 0)
    throw checkFailed('Files are damaged. `colophon backup create --files` copies them again from the store');
}

/** Shows the progress of checks, each with the number of its bytes; returns how many there were. */
async function watchChecks<Checked>(
  checks: AsyncIterable<Checked>,
  take: (checked: Checked) => number,
): Promise<number> {
  const display = showProgress({ unit: 'files', screen: progressScreen(), clock: systemClock });
  let [lines, done] = [0, 0];
  try {
    for await (const checked of checks) {
      lines++;
      done += take(checked);
      display.update({ lines, done });
    }
  } finally {
    display.end();
  }
  return lines;
}

function printFaults(faults: readonly string[], count: number): void {
  for (const fault of faults) console.log(fault);
  console.log(
    `checked ${grouped(count)} files: ${faults.length === 0 ? 'no damage' : `${faults.length} damaged`}`,
  );
}

const toShown = ({ hash, name, mediaType, bytes, uploadedAt, unusedSince }: FileRecord) => ({
  hash,
  name,
  mediaType: mediaTypeOf(mediaType, name),
  bytes,
  uploadedAt: new Date(uploadedAt).toISOString(),
  ...(unusedSince !== undefined && { unusedSince: new Date(unusedSince).toISOString() }),
});

const toShownFault = ({ file, fault, assets }: FileFault) => ({ ...toShown(file), fault, assets });

const describe = ({ file: { hash, name }, fault, assets }: FileFault) =>
  `the bytes of ${name} (${hash}) ${fault}${assets.length > 0 ? `; named by ${assets.join(', ')}` : ''}`;

/** Runs `work` on the files of the configured store. */
async function withFiles(
  call: CommandCall,
  purpose: Purpose,
  work: (parts: FileParts) => Promise<void>,
): Promise<void> {
  const parts = await composeFiles(readConfig(process.env), createRuntime(call), {
    isReadOnly: purpose === 'read',
  });
  try {
    await work(parts);
  } finally {
    await parts.close();
  }
}
