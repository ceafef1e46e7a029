/**
 * `colophon audit`: the changes of content and settings as CSV, from a server or from the configured store.
 */
import type { AuditFilter } from '../../access/audit/audit-log.ts';
import { toCsvTexts } from '../../access/audit/changes-csv.ts';
import { composeContent } from '../../app/compose/compose-commands.ts';
import { transferFailed, usage } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import { type CommandCall, readTime } from '../command.ts';
import { createAdminSender } from './admin-server.ts';
import { createRuntime } from './command-runtime.ts';
import { chooseTypesFor, readConfigFor } from './types/types-option.ts';
import { writeTexts } from './write-texts.ts';

export async function audit(call: CommandCall): Promise<void> {
  const filter = readFilter(call);
  const server = call.option('url');
  if (server === undefined) return writeFromStore(call, filter);
  const sendToAdmin = await createAdminSender(call, server);
  const response = await sendToAdmin(`/changes.csv?${toQuery(filter)}`);
  await writeTexts(readTexts(response), call.option('out'));
}

type Kind = NonNullable<NonNullable<AuditFilter['by']>['kind']>;
type Action = NonNullable<AuditFilter['actions']>[number];

const kinds: readonly Kind[] = ['client', 'user', 'anonymous', 'command', 'system'];
const actions: readonly Action[] = ['create', 'update', 'delete', 'erase', 'signIn'];

/** Reads the filters. Errors: usage. */
function readFilter(call: CommandCall): AuditFilter {
  const kind = call.option('by-kind');
  const id = call.option('by');
  const asset = call.option('asset');
  if (asset !== undefined && !isUuid(asset)) throw usage('--asset must be a UUID');
  const [named, done] = [call.options('type'), call.options('action')];
  const [run, fromMs, toMs] = [call.option('run'), readTime(call, 'from'), readTime(call, 'to')];
  const by = {
    ...(kind !== undefined && { kind: readOneOf(kinds, kind, '--by-kind') }),
    ...(id !== undefined && { id }),
  };
  return {
    ...(Object.keys(by).length > 0 && { by }),
    ...(asset !== undefined && { asset: asset.toLowerCase() }),
    ...(named.length > 0 && { types: named }),
    ...(done.length > 0 && { actions: done.map((action) => readOneOf(actions, action, '--action')) }),
    ...(run !== undefined && { run }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  };
}

function readOneOf<Value extends string>(values: readonly Value[], text: string, option: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw usage(`${option} must be one of ${values.join(', ')}`);
  return found;
}

async function writeFromStore(call: CommandCall, filter: AuditFilter): Promise<void> {
  const config = readConfigFor(call);
  const chosen = await chooseTypesFor(config);
  const records = await composeContent(config, createRuntime(call), { chosen, isReadOnly: true });
  try {
    await writeTexts(toCsvTexts(await records.audit.all(filter)), call.option('out'));
  } finally {
    await records.close();
  }
}

function toQuery({ by, asset, types: named = [], actions: done = [], run, fromMs, toMs }: AuditFilter) {
  const query = new URLSearchParams();
  const single = { byKind: by?.kind, by: by?.id, asset, run, from: fromMs, to: toMs };
  for (const [name, value] of Object.entries(single)) if (value !== undefined) query.set(name, String(value));
  for (const type of named) query.append('type', type);
  for (const action of done) query.append('action', action);
  return query;
}

async function* readTexts({ body }: Response): AsyncGenerator<string> {
  try {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) yield text;
  } catch (error) {
    throw transferFailed('the response of the server ended early', error);
  }
}
