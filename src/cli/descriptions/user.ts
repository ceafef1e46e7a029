/**
 * The descriptions of `colophon user …`.
 */
import { type Command, jsonOption } from '../command.ts';

const create: Command = {
  name: 'user create',
  examples: ['colophon user create editor@example.com'],
  summary: 'make a user of the admin UI, with a password that is made up and shown once',
  arguments: [{ name: '<email>', summary: 'by which the user signs in' }],
  options: {
    'password-stdin': { type: 'boolean', summary: 'read the password from standard input instead' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/user.ts')).create(call),
};

const list: Command = {
  name: 'user list',
  examples: ['colophon user list --json'],
  summary: 'list the users of the admin UI',
  options: jsonOption,
  run: async (call) => (await import('../commands/user.ts')).list(call),
};

/** The commands about users. */
export const userCommands = [create, list];
