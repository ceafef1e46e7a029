/**
 * `colophon client …`: API clients, on the store itself, so that it works whether or not a server runs on it.
 */
import type { ApiClients, ApiCredentials } from '../../access/api-clients.ts';
import { isScope, type Scope, scopes } from '../../access/scopes.ts';
import { composeClients } from '../../app/compose.ts';
import { readConfig } from '../../app/config.ts';
import { usage } from '../../base/errors.ts';
import { randomIds, silentLogger, systemClock } from '../../base/runtime.ts';
import type { Command, CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';

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
    await withClients(async (clients) => printCredentials(call, await clients.create(client)));
  },
};

const list: Command = {
  name: 'client list',
  synopsis: '[--json]',
  summary: 'list the API clients, revoked ones included',
  positionals: 0,
  options: json,
  async run(call) {
    await withClients(async (clients) => {
      const shown = (await clients.list()).map(({ secretHash: _, revokedAtMs, ...client }) => {
        return {
          ...client,
          revokedAt: revokedAtMs === undefined ? null : new Date(revokedAtMs).toISOString(),
        };
      });
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
    await withClients(async (clients) => printCredentials(call, await clients.rotate(clientId)));
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
    await withClients((clients) => clients.revoke(clientId));
    console.log(`revoked ${clientId}`);
  },
};

/** The commands about API clients. */
export const clientCommands = [create, list, rotate, revoke];

async function withClients(work: (clients: ApiClients) => Promise<void>): Promise<void> {
  const runtime = { logger: silentLogger, clock: systemClock, ids: randomIds };
  const { clients, close } = await composeClients(readConfig(process.env), runtime);
  try {
    await work(clients);
  } finally {
    await close();
  }
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
