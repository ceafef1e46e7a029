/**
 * `colophon user …`: users of the admin UI, on the store itself, so that it works whether or not a server runs on it.
 */
import { type Command, jsonOption } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withAccess } from './with-store.ts';

const create: Command = {
  name: 'user create',
  summary: 'make a user of the admin UI, with a password that is made up and shown once',
  arguments: [{ name: '<email>', summary: 'by which the user signs in' }],
  options: {
    'password-stdin': { type: 'boolean', summary: 'read the password from standard input instead' },
    ...jsonOption,
  },
  async run(call) {
    const [email = ''] = call.positionals;
    const given = call.has('password-stdin') ? { password: await readLine() } : {};
    await withAccess(call, async ({ users }) => {
      const { password, ...user } = await users.create({ email, ...given });
      const shown = 'password' in given ? user : { ...user, password };
      if (call.has('json')) printJson(shown);
      else if ('password' in shown) console.log(`Email     ${shown.email}\nPassword  ${shown.password}`);
      else console.log(`created ${shown.email}`);
    });
  },
};

const list: Command = {
  name: 'user list',
  summary: 'list the users of the admin UI',
  options: jsonOption,
  async run(call) {
    await withAccess(call, async ({ users }) => {
      const all = await users.list();
      if (call.has('json')) printJson(all);
      else
        printTable(
          ['email', 'user ID'],
          all.map(({ email, id }) => [email, id]),
        );
    });
  },
};

/** The commands about users. */
export const commands = [create, list];

/** Standard input, to its end, without the line break that `echo` puts there. */
async function readLine(): Promise<string> {
  const chunks = await process.stdin.setEncoding('utf8').toArray();
  return chunks.join('').replace(/\r?\n$/, '');
}
