/**
 * `colophon history`, `restore` and `erase`: the past of one asset, on a server or on the configured store.
 */
import { usage } from '../../../base/errors.ts';
import type { DescribedChange, NamedMoment } from '../../../content/history/read-history.ts';
import { parseVersion } from '../../../http/response/streamed-body.ts';
import {
  createHttpHistory,
  createStoreHistory,
  type HistoryTarget,
} from '../../../transfer/history/history-target.ts';
import { checkCursors } from '../../../transfer/target/content-target.ts';
import { type CommandCall, readTime, readWholeNumber } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { readConfigFor } from '../types/types-option.ts';
import { openContent, type Purpose, readServer } from './with-target.ts';

const maxPage = 100;

export async function history(call: CommandCall): Promise<void> {
  const [id = ''] = call.positionals;
  const limit = readWholeNumber(call, 'limit', { fallback: 20, min: 1, max: 100_000 });
  const changes = await withHistory(call, 'read', (target) => listChanges(target, id, limit));
  if (call.has('json')) printJson(changes);
  else printTable(['time', 'action', 'version', 'by', 'run', 'changed'], changes.map(toRow));
}

export async function restore(call: CommandCall): Promise<void> {
  const [id = ''] = call.positionals;
  const fields = call.options('field');
  const isDryRun = call.has('dry-run');
  const restoration = { id, moment: readMoment(call), ...(fields.length > 0 && { fields }), isDryRun };
  const { asset, version } = await withHistory(call, isDryRun ? 'read' : 'write', (target) =>
    target.restore(restoration),
  );
  if (call.has('json')) printJson({ asset, version });
  else if (isDryRun) console.log(`dry run, nothing written: ${id} can be restored`);
  else console.log(`restored ${id} as version ${version}`);
}

export async function erase(call: CommandCall): Promise<void> {
  const [id = ''] = call.positionals;
  await withHistory(call, 'write', (target) => target.erase(id));
  console.log(`erased ${id}`);
}

async function listChanges(target: HistoryTarget, id: string, limit: number): Promise<DescribedChange[]> {
  const changes: DescribedChange[] = [];
  const toNew = checkCursors();
  let cursor: string | undefined;
  do {
    const left = Math.min(limit - changes.length, maxPage);
    const page = await target.list({ id, limit: left, ...(cursor === undefined ? {} : { cursor }) });
    changes.push(...page.items);
    cursor = page.next === undefined ? undefined : toNew(page.next);
  } while (cursor !== undefined && changes.length < limit);
  return changes;
}

function toRow({ at, action, version = '', by, run = '', changed }: DescribedChange): string[] {
  const who = [by.kind, by.name ?? by.id ?? ''].filter((part) => part !== '').join(' ');
  return [new Date(at).toISOString(), action, version, who, run, changed.join(', ')];
}

/** Reads `--version` or `--at`. Errors: usage; invalid_parameter. */
function readMoment(call: CommandCall): NamedMoment {
  const version = call.option('version');
  const atMs = readTime(call, 'at');
  if (version !== undefined && atMs === undefined) return { version: parseVersion(version, '--version') };
  if (version === undefined && atMs !== undefined) return { atMs };
  throw usage('restore needs either --version or --at');
}

/** Runs `work` with the target that the call names, and always closes it. */
async function withHistory<Outcome>(
  call: CommandCall,
  purpose: Purpose,
  work: (target: HistoryTarget) => Promise<Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const url = call.option('url');
  const retries = readWholeNumber(call, 'attempts', { fallback: 8, min: 1, max: 100 }) - 1;
  const target =
    url === undefined
      ? createStoreHistory(await openContent(call, { config, purpose }))
      : createHttpHistory({ ...(await readServer(call, { url, config })), retries });
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}
