/**
 * `colophon user …`: users of the admin UI, on the store itself, so that it works whether or not a server runs on it.
 */
import type { Invitation } from '../../access/users/invitations.ts';
import { isRole, type Role, roles } from '../../access/users/roles.ts';
import { signInMethodOf, stateOf } from '../../access/users/user-record.ts';
import type { User, Users } from '../../access/users/users.ts';
import { notFound, usage } from '../../base/errors.ts';
import type { CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withAccess } from './store/with-store.ts';

export async function create(call: CommandCall): Promise<void> {
  const [email = ''] = call.positionals;
  const role = readRole(call.option('role') ?? 'admin');
  const given = call.has('password-stdin') ? { password: await readLine() } : {};
  await withAccess(call, 'write', async ({ users }) => {
    const { password, ...user } = await users.create({ email, role, ...given });
    const shown = { id: user.id, email: user.email, role: user.role };
    if (call.has('json')) printJson('password' in given ? shown : { ...shown, password });
    else if ('password' in given) console.log(`created ${user.email}`);
    else console.log(`Email     ${user.email}\nPassword  ${password}`);
  });
}

export async function invite(call: CommandCall): Promise<void> {
  const [email = ''] = call.positionals;
  const word = call.option('role');
  if (word === undefined) throw usage('user invite needs --role');
  const role = readRole(word);
  await withAccess(call, 'write', async ({ invitations }, config) => {
    printInvitation(call, await invitations.invite({ email, role }), config);
  });
}

export async function link(call: CommandCall): Promise<void> {
  await withAccess(call, 'write', async ({ users, invitations }, config) => {
    const { id } = await getUser(call, users);
    printInvitation(call, await invitations.renew(id), config);
  });
}

export async function setRole(call: CommandCall): Promise<void> {
  const [, word = ''] = call.positionals;
  const role = readRole(word);
  await change(call, { role }, ({ email }) => `${email} has the role ${role}`);
}

export async function disable(call: CommandCall): Promise<void> {
  await change(call, { isDisabled: true }, ({ email }) => `disabled ${email}`);
}

export async function enable(call: CommandCall): Promise<void> {
  await change(call, { isDisabled: false }, ({ email }) => `enabled ${email}`);
}

export async function list(call: CommandCall): Promise<void> {
  await withAccess(call, 'read', async ({ users }) => {
    const all = (await users.list()).map(toShownUser);
    if (call.has('json')) printJson(all);
    else
      printTable(
        ['email', 'role', 'state', 'signs in by', 'user ID'],
        all.map(({ email, role, state, signInMethod, id }) => [email, role, state, signInMethod, id]),
      );
  });
}

async function change(
  call: CommandCall,
  changes: Parameters<Users['update']>[1],
  describe: (user: User) => string,
): Promise<void> {
  await withAccess(call, 'write', async ({ users }) => {
    const { id } = await getUser(call, users);
    console.log(describe(await users.update(id, changes)));
  });
}

/** Returns the user whom the first argument names. Errors: not_found. */
async function getUser(call: CommandCall, users: Users): Promise<User> {
  const [email = ''] = call.positionals;
  const user = await users.findByEmail(email);
  if (!user) throw notFound(email, 'user');
  return user;
}

function readRole(text: string): Role {
  if (!isRole(text)) throw usage(`there is no role "${text}"; there are ${roles.join(', ')}`);
  return text;
}

/** Prints a link; without a public URL, it has the address at which the server listens by default. */
function printInvitation(
  call: CommandCall,
  { user, token, expiresAtMs }: Invitation,
  { publicUrl, port }: { publicUrl?: string; port: number },
): void {
  const shown = {
    id: user.id,
    email: user.email,
    role: user.role,
    link: `${publicUrl ?? `http://localhost:${port}`}/admin/invitation#${token}`,
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
  if (call.has('json')) printJson(shown);
  else console.log(`Email    ${shown.email}\nLink     ${shown.link}\nExpires  ${shown.expiresAt}`);
}

/** A user as it is listed: with the state and the way to sign in, each in a word. */
function toShownUser(user: User) {
  const { id, email, name, role } = user;
  const shownName = name === undefined ? {} : { name };
  return { id, email, ...shownName, role, state: stateOf(user), signInMethod: signInMethodOf(user) };
}

/** Standard input, to its end, without the line break that `echo` puts there. */
async function readLine(): Promise<string> {
  const chunks = await process.stdin.setEncoding('utf8').toArray();
  return chunks.join('').replace(/\r?\n$/, '');
}
