/**
 * `colophon client …`: API clients, on the store itself, so that it works whether or not a server runs on it.
 */
import type { ApiClient, ApiCredentials, ApiKey } from '../../access/clients/api-clients.ts';
import { isScope, type Scope, scopes } from '../../access/clients/scopes.ts';
import { usage } from '../../base/errors.ts';
import { type CommandCall, readTime } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withAccess } from './store/with-store.ts';

export async function create(call: CommandCall): Promise<void> {
  const name = call.option('name');
  if (name === undefined) throw usage('client create needs --name');
  const sites = call.options('site');
  const client = {
    name,
    scopes: readScopes(call.options('scope')),
    ...(sites.length > 0 ? { sites } : {}),
  };
  await withAccess(call, 'write', async ({ clients }) =>
    printCredentials(call, await clients.create(client)),
  );
}

export async function list(call: CommandCall): Promise<void> {
  await withAccess(call, 'read', async ({ clients }) => {
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
}

export async function rotate(call: CommandCall): Promise<void> {
  const [clientId = ''] = call.positionals;
  await withAccess(call, 'write', async ({ clients }) =>
    printCredentials(call, await clients.rotate(clientId)),
  );
}

export async function revoke(call: CommandCall): Promise<void> {
  const [clientId = ''] = call.positionals;
  await withAccess(call, 'write', ({ clients }) => clients.revoke(clientId));
  console.log(`revoked ${clientId}`);
}

export async function key(call: CommandCall): Promise<void> {
  const [clientId = ''] = call.positionals;
  const name = call.option('name');
  if (name === undefined) throw usage('client key needs --name');
  const expiresAtMs = readTime(call, 'expires');
  await withAccess(call, 'write', async ({ clients }) => {
    const { key, secret } = await clients.addKey({
      clientId,
      name,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    });
    if (call.has('json')) printJson({ id: key.id, key: secret, ...toShownExpiry(key) });
    else console.log(`ID   ${key.id}\nKey  ${secret}`);
    const { scopes } = await clients.get(clientId);
    if (scopes.includes('graphql')) return;
    console.error(`${clientId} lacks the scope graphql: endpoints refuse the key until the client has it`);
  });
}

export async function removeKey(call: CommandCall): Promise<void> {
  const [clientId = '', keyId = ''] = call.positionals;
  await withAccess(call, 'write', ({ clients }) => clients.removeKey({ clientId, keyId }));
  console.log(`removed ${keyId}`);
}

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
function toShownClient({ secretHash: _, createdAtMs, updatedAtMs, revokedAtMs, keys, ...client }: ApiClient) {
  return {
    ...client,
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      createdAt: toIsoTime(key.createdAtMs),
      ...toShownExpiry(key),
    })),
    createdAt: toIsoTime(createdAtMs),
    updatedAt: toIsoTime(updatedAtMs),
    revokedAt: revokedAtMs === undefined ? null : toIsoTime(revokedAtMs),
  };
}

const toShownExpiry = ({ expiresAtMs }: ApiKey) =>
  expiresAtMs === undefined ? {} : { expiresAt: toIsoTime(expiresAtMs) };

const toIsoTime = (ms: number) => new Date(ms).toISOString();
