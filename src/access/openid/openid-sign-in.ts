/**
 * Sign-in by OpenID Connect: sends a browser to the provider, and begins a session when it comes back.
 *
 * What was begun is in a cookie, so that any server can finish it, and what was finished is in the store, so that none does so again. Roles come from the provider at each sign-in; a session keeps its role
 * until it ends, for twelve hours at most.
 */
import { forbidden, isDomainError, notSupported, unauthorized } from '../../base/errors.ts';
import { networkOf } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { BegunSession, Sessions } from '../users/sessions.ts';
import type { FailedAttempts } from '../users/sign-in-limiter.ts';
import { freePerAddress } from '../users/sign-in-limiter.ts';
import type { FinishedSignIns } from './begun-sign-ins.ts';
import { type BegunSignIn, createBegunSignIns, signInMs } from './begun-sign-ins.ts';
import type { OpenidProvider } from './openid-provider.ts';
import { findRole, type OpenidSettings } from './openid-settings.ts';
import type { OpenidUsers, ProviderPerson } from './openid-users.ts';

/** What a browser brings back from the provider. */
export interface ReturnedBrowser {
  /** The query string, with or without `?`. */
  readonly query: string;
  /** The text of the cookie, if it has one. */
  readonly sealed: string | undefined;
  /** The IP address of the client, if known. */
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** Signs users in by OpenID Connect. */
export interface OpenidSignIn {
  /** What people call the provider; absent without one. */
  readonly label?: string;
  /**
   * Begins a sign-in: returns the address of the provider, and the text for the cookie, of which `sealed` is the present one. Errors:
   * not_supported without a provider, provider_failed.
   */
  begin(from: {
    returnTo: string;
    sealed: string | undefined;
  }): Promise<{ location: string; sealed: string }>;
  /**
   * Begins a session; returns the text for the cookie without the finished sign-in, too. Errors: not_supported without a provider,
   * unauthorized, forbidden without a role or with the email of another user, provider_failed, too_many_attempts.
   */
  finish(returned: ReturnedBrowser): Promise<BegunSession & { returnTo: string; sealed: string }>;
}

/** The sign-in of an installation without a provider. */
export const noOpenidSignIn: OpenidSignIn = {
  begin: async () => refuseWithoutProvider(),
  finish: async () => refuseWithoutProvider(),
};

function refuseWithoutProvider(): never {
  throw notSupported('This installation has no OpenID Connect provider');
}

/** Creates the service of an installation with a provider. */
export function createOpenidSignIn({
  settings,
  provider,
  users,
  sessions,
  finished,
  attempts,
  clock,
  ids,
}: {
  settings: OpenidSettings;
  provider: OpenidProvider;
  users: OpenidUsers;
  sessions: Pick<Sessions, 'beginFor'>;
  finished: FinishedSignIns;
  attempts: FailedAttempts;
  clock: Clock;
  ids: IdSource;
}): OpenidSignIn {
  const { label, roles, groupsClaim, clientSecret } = settings;
  const cookie = createBegunSignIns({ clientSecret, ids });

  async function begin({ returnTo, sealed }: { returnTo: string; sealed: string | undefined }) {
    const nowMs = clock.nowMs();
    const begun = {
      state: ids.secret(),
      nonce: ids.secret(),
      verifier: ids.secret(),
      returnTo,
      expiresAtMs: nowMs + signInMs,
    };
    const location = await provider.locate(begun);
    // Other tabs may be signing in, too.
    return { location, sealed: cookie.seal([begun, ...cookie.open(sealed, nowMs)]) };
  }

  async function finish(returned: ReturnedBrowser) {
    const { address } = returned;
    if (address === undefined) return tryToFinish(returned);
    const key = { name: `openid address ${networkOf(address)}`, free: freePerAddress };
    await attempts.begin(key);
    try {
      const session = await tryToFinish(returned);
      await attempts.takeBack(key);
      return session;
    } catch (error) {
      if (!isRefusal(error)) await attempts.takeBack(key);
      throw error;
    }
  }

  async function tryToFinish({ query, sealed, userAgent }: ReturnedBrowser) {
    const parameters = new URLSearchParams(query);
    const all = cookie.open(sealed, clock.nowMs());
    const begun = findBegun(all, parameters);
    const person = await provider.identify(begun, parameters);
    // Only now, so that a sign-in can be finished after a failure of the provider.
    if (!(await finished.add(begun))) throw cannotBeFinished();
    const user = await users.save(person, getRole(person));
    const session = await sessions.beginFor(user, userAgent);
    return { ...session, returnTo: begun.returnTo, sealed: cookie.seal(all.filter((one) => one !== begun)) };
  }

  /** Errors: forbidden. */
  function getRole({ email, groups }: ProviderPerson) {
    if (!groups)
      throw forbidden(`The provider sends no claim ${groupsClaim}, so Colophon cannot know your role`);
    const role = findRole(groups, roles);
    if (!role) throw forbidden(`${email ?? 'This user'} is in no group that has a role in Colophon`);
    return role;
  }

  return { label, begin, finish };
}

/** Finds the sign-in that the browser comes back from. Errors: unauthorized. */
function findBegun(all: readonly BegunSignIn[], query: URLSearchParams): BegunSignIn {
  const found = all.find(({ state }) => state === query.get('state'));
  if (found && (query.has('code') || query.has('error'))) return found;
  throw cannotBeFinished();
}

const cannotBeFinished = () =>
  unauthorized(
    'This sign-in cannot be finished: it was begun in another browser or more than ten minutes ago, or it was finished already. Sign in again',
  );

const isRefusal = (error: unknown) =>
  isDomainError(error, 'unauthorized') || isDomainError(error, 'forbidden');
