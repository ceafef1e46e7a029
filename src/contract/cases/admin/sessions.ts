/**
 * Sessions: reads need the session cookie, changes also need the CSRF token.
 */
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { Operation } from '../../apis/contract-document.ts';
import type { SessionHeaders } from '../../apis/own-session.ts';
import { assertSame, type Case, type CaseGroup, type SkipReason, toCase, toSetupCase } from '../../case.ts';
import { acceptsClients, brokenRequest, securityOf } from '../requests/credentials.ts';

/** Signs the user in, for the cases that need it. */
export function* signInCases({ session }: AdminUnderTest): CaseGroup {
  if (!session) return;
  yield toSetupCase('signIn', '200 opens a session, with an HttpOnly and SameSite cookie', async () => {
    const response = await session.signIn();
    const { body } = response;
    const email = memberOf(body, 'user', 'email');
    assertSame({ what: 'the email', received: email, expected: session.user.email.toLowerCase() });
    const attributes = (session.findCookie(response) ?? '').toLowerCase().split(/\s*;\s*/);
    const wanted = ['httponly', 'samesite=lax'];
    const received = wanted.filter((attribute) => attributes.includes(attribute));
    assertSame({ what: 'the attributes of the cookie', received, expected: wanted });
  });
}

/** Yields the cases of every operation that accepts a session; the last one ends it. */
export function* sessionCases(admin: AdminUnderTest): CaseGroup {
  if (!admin.session) return;
  for (const operation of admin.document.operations) {
    const ways = (securityOf(admin, operation) ?? []).filter((way) => 'session' in way);
    if (ways.length === 0 || operation.method === '') continue;
    const needsToken = ways.every((way) => 'csrfToken' in way);
    if (admin.repeats(operation)) yield acceptanceCase(admin, operation, needsToken);
    if (needsToken) yield refusal(admin, operation);
  }
  yield* signOutCases(admin);
}

function acceptanceCase(admin: AdminUnderTest, operation: Operation, needsToken: boolean): Case {
  const how = needsToken ? 'the cookie and the CSRF token' : 'the cookie alone';
  return sessionCase(admin, operation, `200 for a signed-in user, with ${how}`, async ({ cookie, token }) => {
    const request = admin.validRequest(operation);
    if (!request) return { skipped: 'the run has no resource for this request' };
    const headers = needsToken ? { ...cookie, ...token } : cookie;
    await admin.call({ ...request, credentials: null, headers }, 200, 201);
    return undefined;
  });
}

function refusal(admin: AdminUnderTest, operation: Operation): Case {
  return sessionCase(
    admin,
    operation,
    '403 without the CSRF token, or with another',
    async ({ cookie, token }) => {
      const others = Object.fromEntries(Object.keys(token).map((name) => [name, 'no such token']));
      for (const headers of [cookie, { ...cookie, ...others }]) {
        const request = admin.validRequest(operation) ?? brokenRequest(admin, operation);
        await admin.call({ ...request, credentials: null, headers }, 403);
      }
      return undefined;
    },
  );
}

function* signOutCases(admin: AdminUnderTest): CaseGroup {
  const path = admin.session?.path ?? '';
  for (const operation of admin.document.operations) {
    const isOfSession = operation.method !== '' && securityOf(admin, operation)?.length !== 0;
    if (!isOfSession || acceptsClients(admin, operation)) continue;
    yield toCase(operation.id, '403 for an API client, which has no session', async () => {
      const { method, path, body } = admin.validRequest(operation) ?? {};
      if (method === undefined || path === undefined) return { skipped: 'nobody is signed in' };
      await admin.call({ method, path, ...(body === undefined ? {} : { body }) }, 403);
      return undefined;
    });
  }
  yield sessionCase(admin, { id: 'signOut' }, '204 ends the session', async ({ cookie, token }) => {
    const headers = { ...cookie, ...token };
    await admin.call({ method: 'DELETE', path, credentials: null, headers }, 204);
    await admin.call({ method: 'GET', path, credentials: null, headers }, 401);
    return undefined;
  });
}

function sessionCase(
  { session }: AdminUnderTest,
  { id }: Pick<Operation, 'id'>,
  title: string,
  run: (headers: SessionHeaders) => Promise<SkipReason | undefined>,
): Case {
  return toCase(id, title, async () => {
    const headers = session?.headers();
    return headers ? run(headers) : { skipped: 'nobody is signed in' };
  });
}
