/**
 * `colophon client …`: API clients, on the store itself, so that it works whether or not a server runs on it.
 */
import type { ApiClient, ApiCredentials } from '../../access/clients/api-clients.ts';
import { isScope, type Scope, scopes } from '../../access/clients/scopes.ts';
import { usage } from '../../base/errors.ts';
import { type Command, type CommandCall, jsonOption } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withAccess } from './with-store.ts';

const clientArgument = { name: '<client ID>', summary: 'as client list shows it' };

const create: Command = {
  name: 'client create',
  summary: 'make an API client; its secret is shown once',
  options: {
    name: { type: 'string', value: '<name>', isRequired: true, summary: 'what people call it' },
    scope: {
      type: 'string',
      multiple: true,
      value: '<scope>',
      summary: `what it may do: ${scopes.join(', ')} (default: cma:read and cma:write)`,
    },
    site: {
      type: 'string',
      multiple: true,
      value: '<site ID>',
      summary: 'a site whose assets alone it sees and writes (default: all assets)',
    },
    ...jsonOption,
  },
  async run(call) {
    const name = call.option('name');
    if (name === undefined) throw usage('client create needs --name');
    const sites = call.options('site');
    const client = {
      name,
      scopes: readScopes(call.options('scope')),
      ...(sites.length > 0 ? { sites } : {}),
    };
    await withAccess(call, async ({ clients }) => printCredentials(call, await clients.create(client)));
  },
};

const list: Command = {
  name: 'client list',
  summary: 'list the API clients, revoked ones included',
  options: jsonOption,
  async run(call) {
    await withAccess(call, async ({ clients }) => {
      const shown = (await clients.list()).map(toShownClient);
      if (call.has('json')) printJson(shown);
      else {
        const rows = shown.map((client) => [
          client.clientId,
          client.name,
          client.scopes.join(' '),
          client.sites?.join(' ') ?? 'all',
          client.revokedAt ?? '',
        ]);
        printTable(['client ID', 'name', 'scopes', 'sites', 'revoked'], rows);
      }
    });
  },
};

const rotate: Command = {
  name: 'client rotate',
  summary: 'give an API client a new secret; the old one ends within a second',
  arguments: [clientArgument],
  options: jsonOption,
  async run(call) {
    const [clientId = ''] = call.positionals;
    await withAccess(call, async ({ clients }) => printCredentials(call, await clients.rotate(clientId)));
  },
};

const revoke: Command = {
  name: 'client revoke',
  summary: 'end an API client for good',
  arguments: [clientArgument],
  options: {},
  async run(call) {
    const [clientId = ''] = call.positionals;
    await withAccess(call, ({ clients }) => clients.revoke(clientId));
    console.log(`revoked ${clientId}`);
  },
};

const key: Command = {
  name: 'client key',
  summary: 'give an API client a further API key, shown once',
  arguments: [clientArgument],
  options: {
    name: { type: 'string', value: '<name>', isRequired: true, summary: 'what people call the key' },
    ...jsonOption,
  },
  async run(call) {
    const [clientId = ''] = call.positionals;
    const name = call.option('name');
    if (name === undefined) throw usage('client key needs --name');
    await withAccess(call, async ({ clients }) => {
      const { key, secret } = await clients.addKey({ clientId, name });
      if (call.has('json')) printJson({ id: key.id, key: secret });
      else console.log(`ID   ${key.id}\nKey  ${secret}`);
    });
  },
};

const removeKey: Command = {
  name: 'client remove-key',
  summary: 'end one API key of an API client',
  arguments: [clientArgument, { name: '<key ID>', summary: 'as client list --json shows it' }],
  options: {},
  async run(call) {
    const [clientId = '', keyId = ''] = call.positionals;
    await withAccess(call, ({ clients }) => clients.removeKey({ clientId, keyId }));
    console.log(`removed ${keyId}`);
  },
};

/** The commands about API clients. */
export const commands = [create, list, rotate, revoke, key, removeKey];

function readScopes(names: readonly string[]): readonly Scope[] {
  const stranger = names.find((name) => !isScope(name));
  if (stranger !== undefined) throw usage(`there is no scope "${stranger}"; there are ${scopes.join(', ')}`);
  return names.length > 0 ? names.filter(isScope) : ['cma:read', 'cma:write'];
}

function printCredentials(call: CommandCall, credentials: ApiCredentials): void {
  if (call.has('json')) printJson(credentials);
  else console.log(`ID      ${credentials.clientId}\nSecret  ${credentials.secret}`);
}

/** A client as it is listed: without hashes, and with times that people can read. */
function toShownClient({ secretHash: _, revokedAtMs, keys, ...client }: ApiClient) {
  return {
    ...client,
    keys: keys.map(({ id, name, createdAtMs }) => ({ id, name, createdAt: toIsoTime(createdAtMs) })),
    revokedAt: revokedAtMs === undefined ? null : toIsoTime(revokedAtMs),
  };
}

const toIsoTime = (ms: number) => new Date(ms).toISOString();
