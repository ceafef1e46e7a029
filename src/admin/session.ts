/**
 * The session in React, and what is loaded again after signing in.
 */
import { notifications } from '@mantine/notifications';
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ApiProblem, admin, answer, type Session, sessionKeeper, unsavedTexts } from './api.ts';
import { announceSession } from './other-tabs.ts';
import { forgetRecentPages } from './parts/data/recent-pages.ts';
import { PageLoadError } from './parts/loading/page-load.ts';
import { isJustReadAhead } from './parts/loading/read-ahead.ts';
import { type SessionState, sessionOf } from './session-keeper.ts';
import { signInMethods } from './sign-in-methods.ts';

/** Makes the cache of everything the pages know. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    // The server may well be on this machine, so a browser that holds itself offline asks all the same.
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        // What was read ahead a moment ago is shown as it is.
        refetchOnMount: (query) => !isJustReadAhead(query),
        networkMode: 'always',
        throwOnError: (error) => error instanceof PageLoadError,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** What is known of the session. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(sessionKeeper.subscribe, sessionKeeper.getState);
}

/** The session of the page, even if it has expired since; undefined while no user is signed in, or that is not known. */
export function useSession(): Session | undefined {
  return sessionOf(useSessionState());
}

/** Signs in. Errors: ApiProblem. */
export async function signIn(body: { email: string; password: string }): Promise<void> {
  sessionKeeper.begin(await answer(admin.signIn({ body })));
  announceSession('begun');
}

/** Signs out, and removes what the browser has kept for the user; that the session has ended already is fine. Errors: ApiProblem. */
export async function signOut(): Promise<void> {
  const user = sessionOf(sessionKeeper.getState())?.user;
  try {
    // Another tab may have signed in meanwhile, and its token is the one that counts.
    await answer(admin.getSession());
    await answer(admin.signOut());
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
  }
  if (user) unsavedTexts.removeAll(user.id);
  forgetRecentPages();
  announceSession('signedOut');
  sessionKeeper.end();
}

/** Forgets what the user could see. The page for signing in may already be waiting for the ways to do so, which are the same for everybody. */
function forgetAll(client: QueryClient): void {
  const [ways] = signInMethods.queryKey;
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ways });
  client.getMutationCache().clear();
}

/** Clears the query cache when another user signs in, so that no user sees another's data. */
export function useFreshKnowledge(): void {
  const state = useSessionState();
  const client = useQueryClient();
  const before = useRef<SessionState>(state);
  useEffect(() => {
    const last = sessionOf(before.current);
    const hasBegun = state.phase === 'signedIn' && before.current.phase !== 'signedIn';
    before.current = state;
    if (state.phase === 'signedOut') forgetAll(client);
    if (state.phase !== 'signedIn' || !last) return;
    const { user } = state.session;
    if (user.id !== last.user.id) {
      client.removeQueries({ type: 'inactive' });
      // Forms keep what is typed, so nothing that is shown is read again under them.
      void client.invalidateQueries({ refetchType: 'none' });
      notifications.show({ message: `You are now signed in as ${user.email}`, color: 'orange' });
    }
    if (hasBegun) void client.refetchQueries({ predicate: (query) => query.state.status === 'error' });
  }, [state, client]);
}
