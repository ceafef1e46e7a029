/**
 * `colophon export`: assets as lines of JSON, from a server or from the configured store.
 */
import { transferFailed, usage } from '../../../base/errors.ts';
import { systemClock } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { type ExportRequest, exportContent } from '../../../transfer/export-content.ts';
import { openHashedFiles } from '../../../transfer/files/hashed-files.ts';
import { createFileExport, type FileExport } from '../../../transfer/files/target-files.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { ContentTarget } from '../../../transfer/target/content-target.ts';
import type { CommandCall } from '../../command.ts';
import { assertComplete, describeDamage } from '../../describe-damage.ts';
import { progressScreen } from '../../output.ts';
import { tuneGc } from '../../serving/gc-tuning.ts';
import { listenForStopSignals } from '../../serving/stop-signals.ts';
import { getNamedType } from '../types/types-option.ts';
import { writeTexts } from '../write-texts.ts';
import { withTarget } from './with-target.ts';

export async function exportAssets(call: CommandCall): Promise<void> {
  tuneGc();
  const { signal, ignore } = listenForStopSignals(() => console.error('colophon: stopping'));
  try {
    await withTarget(call, { signal, purpose: 'read', isWhole: true }, async (opened) => {
      const { target, catalog, openFiles, damage } = opened;
      if (damage)
        console.error('colophon: the database file is damaged; exporting from a copy of what can be read');
      const request = readRequest(call, catalog);
      const folder = call.option('files');
      const files = folder === undefined ? undefined : await openFiles();
      const copy = files && createFileExport(files, openHashedFiles(folder ?? ''));
      const lines = watch(target, { request, copy }, signal);
      await writeTexts(lines, call.option('out')).finally(files?.close);
      assertComplete([damage && describeDamage(damage, 'the export'), reportMissing(copy)]);
    });
  } finally {
    ignore();
  }
}

/** Lists the files that could not be copied; returns what to say of them, if there are any. */
function reportMissing(copy: FileExport | undefined): string | undefined {
  if (copy === undefined) return undefined;
  console.error(`copied ${grouped(copy.copied())} files`);
  for (const hash of copy.missing) console.error(`colophon: the file ${hash} is missing or damaged`);
  return copy.missing.size > 0 ? `${grouped(copy.missing.size)} files could not be copied` : undefined;
}

function readRequest(call: CommandCall, catalog: Catalog | undefined): ExportRequest {
  const where = call.option('where');
  const values = call.options('value');
  const fields = readNames(call, 'fields');
  const sort = readNames(call, 'sort');
  const given = call.options('from');
  if (catalog) for (const name of given) getNamedType(catalog, name);
  return {
    from: given.length > 0 ? given : allTypes(catalog),
    ...(where === undefined ? {} : { where }),
    ...(values.length > 0 ? { values } : {}),
    ...(fields.length > 0 ? { fields } : {}),
    ...(sort.length > 0 ? { sort } : {}),
  };
}

/** The names that an option lists. Errors: usage. */
function readNames(call: CommandCall, option: string): readonly string[] {
  const names = call.options(option).flatMap((text) => text.split(','));
  if (names.includes('')) throw usage(`--${option} takes names with commas between them`);
  return names;
}

function allTypes(catalog: Catalog | undefined): readonly string[] {
  if (catalog) return [...catalog.types.keys()];
  throw usage(
    'export --url needs --from, or --types or COLOPHON_TYPES with the content types of that server',
  );
}

/** The lines of an export, with its progress shown. Errors: transfer_failed when it is to stop. */
async function* watch(
  target: ContentTarget,
  { request, copy }: { request: ExportRequest; copy: FileExport | undefined },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const screen = progressScreen();
  const display = showProgress({ screen, clock: systemClock });
  try {
    // Only who looks at a bar is worth the counting.
    const total = screen ? await countAll(target, request) : undefined;
    let lines = 0;
    const update = () => display.update({ lines, done: lines, ...(total === undefined ? {} : { total }) });
    update();
    for await (const block of exportContent(target, request)) {
      if (signal.aborted) throw transferFailed('stopped');
      await copy?.copyNamedIn(block.text);
      yield block.text;
      lines += block.lines;
      update();
    }
    display.end();
    if (lines === 0) console.error(`colophon: ${describeNothing(request)}`);
    else if (screen) console.error(`exported ${grouped(lines)} assets`);
  } finally {
    display.end();
  }
}

function describeNothing({ from, where }: ExportRequest): string {
  const types =
    from.length > 3 ? `${from.slice(0, 3).join(', ')} or ${from.length - 3} other types` : from.join(', ');
  const which = where === undefined ? '' : ` of which the predicate holds`;
  return `nothing to export: there are no assets of ${types}${which}`;
}

async function countAll(
  target: ContentTarget,
  { from: froms, sort: _, ...rest }: ExportRequest,
): Promise<number> {
  const counts = await Promise.all(froms.map((from) => target.count({ from, ...rest })));
  return counts.reduce((sum, count) => sum + count, 0);
}
