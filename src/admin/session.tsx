/**
 * Who is signed in. A session that has ended leads to the sign-in page, and from there back to where one was.
 */
import { Center, Loader } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ApiProblem, admin, answer, type Session } from './api.ts';

const sessionKey = ['session'];

/** Makes the cache of everything the pages know; an answer 401 to anything ends the session here too. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401) client.setQueryData(sessionKey, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The server may well be on this machine, so a browser that holds itself offline asks all the same.
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** The session; null when nobody is signed in, undefined until that is known. */
export function useSession(): Session | null | undefined {
  return useQuery({ queryKey: sessionKey, queryFn: findSession, staleTime: Number.POSITIVE_INFINITY }).data;
}

/** Signs in and out; after either, nothing that was known before is known. */
export function useSignIn() {
  const client = useQueryClient();
  return {
    async signIn(body: { email: string; password: string }) {
      const session = await answer(admin.signIn({ body }));
      begin(client, session);
    },
    async signOut() {
      await answer(admin.signOut());
      begin(client, null);
    },
  };
}

/** What one user knew is not for the next. */
function begin(client: QueryClient, session: Session | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  client.setQueryData(sessionKey, session);
}

/** Shows its children to whoever is signed in. */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session === undefined) {
    return (
      <Center mih="60vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (session) return children;
  return <Navigate to={`/admin/sign-in?from=${encodeURIComponent(pathname + search)}`} replace />;
}

async function findSession(): Promise<Session | null> {
  try {
    return await answer(admin.getSession());
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}
