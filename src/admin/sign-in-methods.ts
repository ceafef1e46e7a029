/**
 * The ways to sign in, and signing in by OpenID Connect: the browser goes to the provider, which sends it back to a page that finishes.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { admin, answer, sessionKeeper } from './api.ts';
import { announceSession } from './other-tabs.ts';

/** The ways to sign in. */
export const signInMethods = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: async () => (await answer(admin.listSignInMethods())).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** What people call the provider; undefined without one, and until it is known. */
export function useProviderLabel(): string | undefined {
  const { data } = useQuery(signInMethods);
  return data?.find(({ method }) => method === 'openid-connect')?.label;
}

/** The longest address that the server keeps during a sign-in. */
const maxReturnLength = 2000;

/** Leaves this page for that of the provider. Errors: ApiProblem. */
export async function beginOpenidSignIn(from: string): Promise<void> {
  const [path = ''] = from.split('?', 1);
  const returnTo = from.length > maxReturnLength ? path : from;
  const { location } = await answer(admin.beginOpenidSignIn({ body: { returnTo } }));
  window.location.assign(location);
}

/** Begins the session with what the provider has sent; returns where to go. Errors: ApiProblem. */
export async function finishOpenidSignIn(query: string): Promise<string> {
  const { returnTo, ...session } = await answer(admin.finishOpenidSignIn({ body: { query } }));
  sessionKeeper.begin(session);
  announceSession('begun');
  return returnTo;
}
