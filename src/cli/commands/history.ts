/**
 * `colophon history`, `restore` and `erase`: the past of one asset, on a server or on the configured store.
 */
import { usage } from '../../base/errors.ts';
import type { DescribedChange } from '../../content/history/describe-change.ts';
import type { NamedMoment } from '../../content/history/read-history.ts';
import { parseVersion } from '../../http/response/entity-tag.ts';
import type { HistoryTarget } from '../../transfer/history/history-target.ts';
import { type Command, type CommandCall, jsonOption } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { readTime } from '../read-time.ts';
import { readWholeNumber } from '../whole-number.ts';
import { withHistory } from './with-history.ts';
import { targetOptions } from './with-target.ts';

const idArgument = [{ name: '<id>', summary: 'the _id of the asset' }];
const maxPage = 100;

const history: Command = {
  name: 'history',
  summary: 'list the changes of an asset, newest first, also of a deleted one',
  arguments: idArgument,
  options: {
    limit: { type: 'string', value: '<n>', summary: 'how many changes to list (default: 20)' },
    ...targetOptions,
    ...jsonOption,
  },
  async run(call) {
    const [id = ''] = call.positionals;
    const limit = readWholeNumber(call, 'limit', { fallback: 20, min: 1, max: 100_000 });
    const changes = await withHistory(call, 'read', (target) => listChanges(target, id, limit));
    if (call.has('json')) printJson(changes);
    else printTable(['time', 'action', 'version', 'by', 'run', 'changed'], changes.map(toRow));
  },
};

const restore: Command = {
  name: 'restore',
  summary: 'restore an asset to a past state, also a deleted one',
  arguments: idArgument,
  options: {
    version: { type: 'string', value: '<version>', summary: 'the state with this version, of `history`' },
    at: { type: 'string', value: '<time>', summary: 'the state at this time, such as 2026-11-22T09:30:00Z' },
    field: {
      type: 'string',
      multiple: true,
      value: '<name>',
      summary: 'a field to restore, by its JSON name (default: the whole state)',
    },
    ...targetOptions,
    ...jsonOption,
  },
  async run(call) {
    const [id = ''] = call.positionals;
    const fields = call.options('field');
    const restoration = { id, moment: readMoment(call), ...(fields.length > 0 && { fields }) };
    const { asset, version } = await withHistory(call, 'write', (target) => target.restore(restoration));
    if (call.has('json')) printJson({ asset, version });
    else console.log(`restored ${id} as version ${version}`);
  },
};

const erase: Command = {
  name: 'erase',
  summary: 'delete an asset with its whole history, which cannot be undone',
  arguments: idArgument,
  options: targetOptions,
  async run(call) {
    const [id = ''] = call.positionals;
    await withHistory(call, 'write', (target) => target.erase(id));
    console.log(`erased ${id}`);
  },
};

/** The commands about the past of an asset. */
export const commands = [history, restore, erase];

async function listChanges(target: HistoryTarget, id: string, limit: number): Promise<DescribedChange[]> {
  const changes: DescribedChange[] = [];
  let cursor: string | undefined;
  do {
    const left = Math.min(limit - changes.length, maxPage);
    const page = await target.list({ id, limit: left, ...(cursor === undefined ? {} : { cursor }) });
    changes.push(...page.items);
    cursor = page.next;
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
