/**
 * The descriptions of `colophon client …`.
 */
import { scopes } from '../../access/clients/scopes.ts';
import { type Command, jsonOption } from '../command.ts';

const clientArgument = { name: '<client ID>', summary: 'as client list shows it' };

const create: Command = {
  name: 'client create',
  examples: [
    'colophon client create --name importer --scope cma:read --scope cma:write',
    'colophon client create --name prometheus --scope metrics --json',
  ],
  summary: 'make an API client; its secret is shown once',
  options: {
    name: { type: 'string', value: '<name>', isRequired: true, summary: 'what people call it' },
    scope: {
      type: 'string',
      choices: scopes,
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
  run: async (call) => (await import('../commands/client.ts')).create(call),
};

const list: Command = {
  name: 'client list',
  examples: ['colophon client list'],
  summary: 'list the API clients, revoked ones included',
  options: jsonOption,
  run: async (call) => (await import('../commands/client.ts')).list(call),
};

const rotate: Command = {
  name: 'client rotate',
  examples: ['colophon client rotate importer'],
  summary: 'give an API client a new secret; the old one ends within a second',
  arguments: [clientArgument],
  options: jsonOption,
  run: async (call) => (await import('../commands/client.ts')).rotate(call),
};

const revoke: Command = {
  name: 'client revoke',
  examples: ['colophon client revoke importer'],
  summary: 'end an API client for good',
  arguments: [clientArgument],
  options: {},
  run: async (call) => (await import('../commands/client.ts')).revoke(call),
};

const key: Command = {
  name: 'client key',
  examples: [
    'colophon client key front-end --name "Web site"',
    'colophon client key front-end --name "Trade fair" --expires 2100-01-31T18:00:00Z',
  ],
  summary: 'give an API client a further API key, shown once',
  arguments: [clientArgument],
  options: {
    name: { type: 'string', value: '<name>', isRequired: true, summary: 'what people call the key' },
    expires: { type: 'string', value: '<time>', summary: 'when the key ends (default: never)' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/client.ts')).key(call),
};

const removeKey: Command = {
  name: 'client remove-key',
  examples: ['colophon client remove-key front-end 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7'],
  summary: 'end one API key of an API client',
  arguments: [clientArgument, { name: '<key ID>', summary: 'as client list --json shows it' }],
  options: {},
  run: async (call) => (await import('../commands/client.ts')).removeKey(call),
};

/** The commands about API clients. */
export const clientCommands = [create, list, rotate, revoke, key, removeKey];
