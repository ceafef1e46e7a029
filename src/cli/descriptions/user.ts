/**
 * The descriptions of `colophon user …`.
 */
import { roles } from '../../access/users/roles.ts';
import { type Command, jsonOption } from '../command.ts';

const emailArgument = { name: '<email>', summary: 'by which the user signs in' };

const create: Command = {
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

const invite: Command = {
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

const link: Command = {
  name: 'user link',
  examples: ['colophon user link editor@example.com'],
  summary: 'make a new link with which a user sets a password, such as one that was forgotten',
  arguments: [emailArgument],
  options: jsonOption,
  run: async (call) => (await import('../commands/user.ts')).link(call),
};

const setRole: Command = {
  name: 'user set-role',
  examples: ['colophon user set-role editor@example.com developer'],
  summary: 'change what a user may do, from the next request on',
  arguments: [emailArgument, { name: '<role>', summary: roles.join(', ') }],
  options: {},
  run: async (call) => (await import('../commands/user.ts')).setRole(call),
};

const disable: Command = {
  name: 'user disable',
  examples: ['colophon user disable editor@example.com'],
  summary: 'keep a user from signing in, and end the sessions of the user',
  arguments: [emailArgument],
  options: {},
  run: async (call) => (await import('../commands/user.ts')).disable(call),
};

const enable: Command = {
  name: 'user enable',
  examples: ['colophon user enable editor@example.com'],
  summary: 'let a disabled user sign in again',
  arguments: [emailArgument],
  options: {},
  run: async (call) => (await import('../commands/user.ts')).enable(call),
};

const list: Command = {
  name: 'user list',
  examples: ['colophon user list --json'],
  summary: 'list the users of the admin UI',
  options: jsonOption,
  run: async (call) => (await import('../commands/user.ts')).list(call),
};

/** The commands about users. */
export const userCommands = [create, invite, link, setRole, disable, enable, list];
