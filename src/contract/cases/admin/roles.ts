/**
 * Roles: for every operation and every role, whether a user with the role may call it, as the document says in `x-required-role`.
 *
 * The run invites a user of each role, and deletes these users at its end. The requests are broken in other respects, so that one
 * that is allowed has no effect: it is refused with another status than 403.
 */
import { randomUUID } from 'node:crypto';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { Operation } from '../../apis/contract-document.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase, Violation } from '../../case.ts';
import { brokenRequest, securityOf } from '../requests/credentials.ts';

/** An invited user who has signed in. */
interface Member {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Yields the cases of users, and those of every operation and role. */
export function* roleCases(admin: AdminUnderTest): CaseGroup {
  const roles = rolesOf(admin);
  const rank = (word: string | undefined) => roles.indexOf(word ?? '');
  const members = new Map<string, Member>();
  for (const role of roles) {
    yield toSetupCase('inviteUser', `201 invites a user with the role ${role}, who accepts`, async () => {
      members.set(role, await createMember(admin, role));
    });
  }
  for (const operation of admin.document.operations) {
    const { requiredRole } = operation;
    if (operation.method === '') continue;
    const isOpen = securityOf(admin, operation)?.length === 0;
    if (requiredRole === undefined && isOpen) continue;
    yield toCase(operation.id, 'names the role that it requires', async () => {
      if (rank(requiredRole) < 0)
        throw new Violation({ message: `x-required-role is ${requiredRole ?? 'missing'}` });
    });
    for (const role of roles) {
      const isAllowed = rank(role) >= rank(requiredRole);
      const title = isAllowed ? `is allowed to the role ${role}` : `403 for the role ${role}`;
      yield toCase(operation.id, title, async () => {
        const member = members.get(role);
        if (!member) return { skipped: 'the run has no user with this role' };
        await assertRole(admin, operation, { member, isAllowed });
        return undefined;
      });
    }
  }
  yield* userCases(admin, members);
}

/** Lists the roles of the document, from the least to the most powerful. */
function rolesOf({ document }: AdminUnderTest): readonly string[] {
  const { enum: roles } = document.at('#/components/schemas/Role');
  if (!Array.isArray(roles)) throw new Error('The document lists no roles');
  return roles.map(String);
}

async function assertRole(
  admin: AdminUnderTest,
  operation: Operation,
  { member, isAllowed }: { member: Member; isAllowed: boolean },
): Promise<void> {
  const request = { ...brokenRequest(admin, operation), credentials: null, headers: member.headers };
  if (!isAllowed) {
    const { body } = await admin.call(request, 403);
    const detail = String(memberOf(body, 'detail'));
    if (!detail.includes(`role ${operation.requiredRole}`))
      throw new Violation({ message: `the error does not name the role: ${detail}`, request });
    return;
  }
  const { status } = await admin.call(request);
  if (status === 403 || status === 401 || status < 300)
    throw new Violation({
      message: `expected an error about the parameters or the body, not ${status}`,
      request,
    });
}

/** Invites a user, accepts the invitation and signs in. */
async function createMember(admin: AdminUnderTest, role: string): Promise<Member> {
  const { path, call, own } = admin;
  const [email, password] = [`contract-${randomUUID()}@example.com`, randomUUID()];
  const { body: invited } = await call({ method: 'POST', path: `${path}/users`, body: { email, role } }, 201);
  const [id, token] = [String(memberOf(invited, 'id')), String(memberOf(invited, 'token'))];
  own.add(`${path}/users/${id}`);
  const open = { method: 'POST', credentials: null };
  const checked = await call({ ...open, path: `${path}/invitation/check`, body: { token } }, 200);
  assertSame({ what: 'the invited email', received: memberOf(checked.body, 'email'), expected: email });
  const accept = {
    ...open,
    path: `${path}/invitation/accept`,
    body: { token, name: 'Contract test', password },
  };
  await call(accept, 200);
  await call(accept, 410);
  await call({ ...open, path: `${path}/invitation/check`, body: { token } }, 410);
  return { id, email, password, headers: await signIn(admin, { email, password }) };
}

async function signIn({ path, call, document }: AdminUnderTest, body: { email: string; password: string }) {
  const begun = await call({ method: 'POST', path: `${path}/session`, body, credentials: null }, 200);
  const nameOf = (scheme: string) => String(document.at(`#/components/securitySchemes/${scheme}`).name);
  const cookie = (begun.cookies ?? []).find((cookie) => cookie.startsWith(`${nameOf('session')}=`)) ?? '';
  return {
    Cookie: cookie.split(';')[0] ?? '',
    [nameOf('csrfToken')]: String(memberOf(begun.body, 'csrfToken')),
  };
}

/** Yields the cases of the users that the run has invited; afterwards they are deleted. */
function* userCases(admin: AdminUnderTest, members: ReadonlyMap<string, Member>): CaseGroup {
  const { path, call } = admin;
  const userCase = (id: string, title: string, run: (member: Member, place: string) => Promise<void>) =>
    toCase(id, title, async () => {
      const member = members.get('editor');
      if (!member) return { skipped: 'the run has no user with this role' };
      await run(member, `${path}/users/${member.id}`);
      return undefined;
    });
  const asMember = ({ headers }: Member) => ({ credentials: null, headers });

  yield userCase('inviteUser', '409 the email is in use', async ({ email }) => {
    await call({ method: 'POST', path: `${path}/users`, body: { email, role: 'editor' } }, 409);
  });
  yield userCase('updateUser', '200 a role that holds at the next request', async (member, place) => {
    const read = { method: 'GET', path: `${path}/api-clients`, ...asMember(member) };
    await call(read, 403);
    await call({ method: 'PATCH', path: place, body: { role: 'developer' } }, 200);
    await call(read, 200);
    await call({ method: 'PATCH', path: place, body: { role: 'editor' } }, 200);
    await call(read, 403);
  });
  yield userCase('createApiClient', '403 a developer and the scope admin', async (member, place) => {
    await call({ method: 'PATCH', path: place, body: { role: 'developer' } }, 200);
    const body = { ...admin.newBody('api-clients'), scopes: ['admin'] };
    await call({ method: 'POST', path: `${path}/api-clients`, body, ...asMember(member) }, 403);
    await call({ method: 'PATCH', path: place, body: { role: 'editor' } }, 200);
  });
  yield userCase('listOwnSessions', '200 ends another session', async (member) => {
    const { email, password } = member;
    const other = await signIn(admin, { email, password });
    const list = { method: 'GET', path: `${path}/account/sessions`, ...asMember(member) };
    const found = memberOf((await call(list, 200)).body, 'items');
    const ending = (Array.isArray(found) ? found : []).find((one) => memberOf(one, 'current') === false);
    const id = String(memberOf(ending, 'id'));
    const place = { method: 'DELETE', path: `${path}/account/sessions/${id}`, ...asMember(member) };
    await call(place, 204);
    await call(place, 404);
    await call({ method: 'GET', path: `${path}/session`, credentials: null, headers: other }, 401);
    await call({ method: 'DELETE', path: `${path}/account/sessions`, ...asMember(member) }, 204);
  });
  yield userCase('changeOwnPassword', '204 a new password, 400 a wrong one', async (member) => {
    const change = { method: 'POST', path: `${path}/account/password`, ...asMember(member) };
    const newPassword = randomUUID();
    await call({ ...change, body: { currentPassword: randomUUID(), newPassword } }, 400);
    await call({ ...change, body: { currentPassword: member.password, newPassword } }, 204);
  });
  yield userCase('updateUser', '200 disables, which ends the session, and enables', async (member, place) => {
    await call({ method: 'PATCH', path: place, body: { disabled: true } }, 200);
    await call({ method: 'GET', path: `${path}/session`, ...asMember(member) }, 401);
    await call({ method: 'POST', path: `${place}/invitation` }, 409);
    await call({ method: 'PATCH', path: place, body: { disabled: false } }, 200);
  });
  yield userCase('renewInvitation', '200 a new link', async (_member, place) => {
    await call({ method: 'POST', path: `${place}/invitation` }, 200);
  });
  yield userCase('deleteUser', '204 deletes the user', async (_member, place) => {
    await call({ method: 'GET', path: place }, 200);
    await call({ method: 'DELETE', path: place }, 204);
    await call({ method: 'GET', path: place }, 404);
  });
}
