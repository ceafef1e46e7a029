/**
 * The descriptions of the commands about API clients, users and who changed what.
 */
import { scopes } from '../../access/clients/scopes.ts';
import { roles } from '../../access/users/roles.ts';
import { type Command, jsonOption } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const clientArgument = { name: '<client ID>', summary: 'as client list shows it' };

const clientCreate: Command = {
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

const clientList: Command = {
  name: 'client list',
  examples: ['colophon client list'],
  summary: 'list the API clients, revoked ones included',
  options: jsonOption,
  run: async (call) => (await import('../commands/client.ts')).list(call),
};

const clientRotate: Command = {
  name: 'client rotate',
  examples: ['colophon client rotate importer'],
  summary: 'give an API client a new secret; the old one ends within a second',
  arguments: [clientArgument],
  options: jsonOption,
  run: async (call) => (await import('../commands/client.ts')).rotate(call),
};

const clientRevoke: Command = {
  name: 'client revoke',
  examples: ['colophon client revoke importer'],
  summary: 'end an API client for good',
  arguments: [clientArgument],
  options: {},
  run: async (call) => (await import('../commands/client.ts')).revoke(call),
};

const clientKey: Command = {
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

const clientRemoveKey: Command = {
  name: 'client remove-key',
  examples: ['colophon client remove-key front-end 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7'],
  summary: 'end one API key of an API client',
  arguments: [clientArgument, { name: '<key ID>', summary: 'as client list --json shows it' }],
  options: {},
  run: async (call) => (await import('../commands/client.ts')).removeKey(call),
};

const emailArgument = { name: '<email>', summary: 'by which the user signs in' };

const userCreate: Command = {
  name: 'user create',
  examples: [
    'colophon user create admin@example.com',
    'colophon user create editor@example.com --role editor',
  ],
  summary: 'make a user of the admin UI, with a password that is made up and shown once',
  arguments: [emailArgument],
  options: {
    role: {
      type: 'string',
      choices: roles,
      value: '<role>',
      summary: `what the user may do: ${roles.join(', ')} (default: admin)`,
    },
    'password-stdin': { type: 'boolean', summary: 'read the password from standard input instead' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/user.ts')).create(call),
};

const userInvite: Command = {
  name: 'user invite',
  examples: ['colophon user invite editor@example.com --role editor'],
  summary: 'make a user who sets the password with a link, which is shown once and valid for seven days',
  arguments: [emailArgument],
  options: {
    role: {
      type: 'string',
      choices: roles,
      value: '<role>',
      isRequired: true,
      summary: `what the user may do: ${roles.join(', ')}`,
    },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/user.ts')).invite(call),
};

const userLink: Command = {
  name: 'user link',
  examples: ['colophon user link editor@example.com'],
  summary: 'make a new link with which a user sets a password, such as one that was forgotten',
  arguments: [emailArgument],
  options: jsonOption,
  run: async (call) => (await import('../commands/user.ts')).link(call),
};

const userSetRole: Command = {
  name: 'user set-role',
  examples: ['colophon user set-role editor@example.com developer'],
  summary: 'change what a user may do, from the next request on',
  arguments: [emailArgument, { name: '<role>', summary: roles.join(', ') }],
  options: {},
  run: async (call) => (await import('../commands/user.ts')).setRole(call),
};

const userDisable: Command = {
  name: 'user disable',
  examples: ['colophon user disable editor@example.com'],
  summary: 'keep a user from signing in, and end the sessions of the user',
  arguments: [emailArgument],
  options: {},
  run: async (call) => (await import('../commands/user.ts')).disable(call),
};

const userEnable: Command = {
  name: 'user enable',
  examples: ['colophon user enable editor@example.com'],
  summary: 'let a disabled user sign in again',
  arguments: [emailArgument],
  options: {},
  run: async (call) => (await import('../commands/user.ts')).enable(call),
};

const userList: Command = {
  name: 'user list',
  examples: ['colophon user list --json'],
  summary: 'list the users of the admin UI',
  options: jsonOption,
  run: async (call) => (await import('../commands/user.ts')).list(call),
};

const audit: Command = {
  name: 'audit',
  examples: ['colophon audit --action delete --from 2026-11-01T00:00:00Z --out deletions.csv'],
  summary: 'write the changes of content and settings as CSV, newest first',
  options: {
    'by-kind': {
      type: 'string',
      value: '<kind>',
      summary: 'only changes by a client, user, anonymous, command or system',
    },
    by: { type: 'string', value: '<ID>', summary: 'only changes by this client ID or UUID of a user' },
    asset: { type: 'string', value: '<id>', summary: 'only changes of this asset or system record' },
    type: {
      type: 'string',
      multiple: true,
      isClass: true,
      value: '<type>',
      summary: 'only changes of this class name or type ID',
    },
    action: {
      type: 'string',
      multiple: true,
      value: '<action>',
      summary: 'only changes of this kind: create, update, delete, erase or signIn',
    },
    run: { type: 'string', value: '<run>', summary: 'only changes of this run' },
    from: {
      type: 'string',
      value: '<time>',
      summary: 'only changes at this time or later, such as 2026-11-22T09:30:00Z',
    },
    to: { type: 'string', value: '<time>', summary: 'only changes before this time' },
    out: {
      type: 'string',
      value: '<file>',
      summary: 'the file to write, whole or not at all (default: standard output)',
    },
    ...serverOptions,
  },
  run: async (call) => (await import('../commands/audit.ts')).audit(call),
};

/** The commands of this file, in the order in which they are listed. */
export const accessCommands = [
  clientCreate,
  clientList,
  clientRotate,
  clientRevoke,
  clientKey,
  clientRemoveKey,
  userCreate,
  userInvite,
  userLink,
  userSetRole,
  userDisable,
  userEnable,
  userList,
  audit,
];
