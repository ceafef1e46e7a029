/**
 * `colophon user …`: users of the admin UI, on the store itself, so that it works whether or not a server runs on it.
 */
import type { CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withAccess } from './with-store.ts';

/** Runs `colophon user create`. */
export async function create(call: CommandCall): Promise<void> {
  const [email = ''] = call.positionals;
  const given = call.has('password-stdin') ? { password: await readLine() } : {};
  await withAccess(call, async ({ users }) => {
    const { password, ...user } = await users.create({ email, ...given });
    const shown = 'password' in given ? user : { ...user, password };
    if (call.has('json')) printJson(shown);
    else if ('password' in shown) console.log(`Email     ${shown.email}\nPassword  ${shown.password}`);
    else console.log(`created ${shown.email}`);
  });
}

/** Runs `colophon user list`. */
export async function list(call: CommandCall): Promise<void> {
  await withAccess(call, async ({ users }) => {
    const all = await users.list();
    if (call.has('json')) printJson(all);
    else
      printTable(
        ['email', 'user ID'],
        all.map(({ email, id }) => [email, id]),
      );
  });
}

/** Standard input, to its end, without the line break that `echo` puts there. */
async function readLine(): Promise<string> {
  const chunks = await process.stdin.setEncoding('utf8').toArray();
  return chunks.join('').replace(/\r?\n$/, '');
}
