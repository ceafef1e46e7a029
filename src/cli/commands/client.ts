/**
 * `colophon client …`: API clients, on the store itself, so that it works whether or not a server runs on it.
 */
import type { ApiClient, ApiCredentials } from '../../access/api-clients.ts';
import { isScope, type Scope, scopes } from '../../access/scopes.ts';
import { usage } from '../../base/errors.ts';
import type { Command, CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withAccess } from './with-store.ts';

const json = { json: { type: 'boolean' } } as const;

const create: Command = {
  name: 'client create',
  synopsis: '--name <name> [--scope <scope>]… [--site <site ID>]… [--json]',
  summary: `make an API client; its secret is shown once (scopes: ${scopes.join(', ')}; default: the CMA's)`,
  positionals: 0,
  options: {
    ...json,
    name: { type: 'string' },
    scope: { type: 'string', multiple: true },
    site: { type: 'string', multiple: true },
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
    await withAccess(async ({ clients }) => printCredentials(call, await clients.create(client)));
  },
};

const list: Command = {
  name: 'client list',
  synopsis: '[--json]',
  summary: 'list the API clients, revoked ones included',
  positionals: 0,
  options: json,
  async run(call) {
    await withAccess(async ({ clients }) => {
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
  synopsis: '<client ID> [--json]',
  summary: 'give an API client a new secret; the old one ends within a second',
  positionals: 1,
  options: json,
  async run(call) {
    const [clientId = ''] = call.positionals;
    await withAccess(async ({ clients }) => printCredentials(call, await clients.rotate(clientId)));
  },
};

const revoke: Command = {
  name: 'client revoke',
  synopsis: '<client ID>',
  summary: 'end an API client for good',
  positionals: 1,
  options: {},
  async run(call) {
    const [clientId = ''] = call.positionals;
    await withAccess(({ clients }) => clients.revoke(clientId));
    console.log(`revoked ${clientId}`);
  },
};

const key: Command = {
  name: 'client key',
  synopsis: '<client ID> --name <name> [--json]',
  summary: 'give an API client a further API key, shown once',
  positionals: 1,
  options: { ...json, name: { type: 'string' } },
  async run(call) {
    const [clientId = ''] = call.positionals;
    const name = call.option('name');
    if (name === undefined) throw usage('client key needs --name');
    await withAccess(async ({ clients }) => {
      const { key, secret } = await clients.addKey({ clientId, name });
      if (call.has('json')) printJson({ id: key.id, key: secret });
      else console.log(`ID   ${key.id}\nKey  ${secret}`);
    });
  },
};

const removeKey: Command = {
  name: 'client remove-key',
  synopsis: '<client ID> <key ID>',
  summary: 'end one API key of an API client',
  positionals: 2,
  options: {},
  async run(call) {
    const [clientId = '', keyId = ''] = call.positionals;
    await withAccess(({ clients }) => clients.removeKey({ clientId, keyId }));
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
