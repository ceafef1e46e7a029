/**
 * Shows the sign-in page in place of a page that needs a session.
 */
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { sessionKeeper } from './api.ts';
import { NarrowPage } from './parts/layout/narrow-page.tsx';
import { ProblemAlert } from './parts/problems/problem-alert.tsx';
import { useSessionState } from './session.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** Shows its children when a user is signed in, and keeps them while the user signs in again. */
export function RequireSession({ children }: { children: ReactNode }) {
  const state = useSessionState();
  const { pathname, search } = useLocation();
  switch (state.phase) {
    case 'unknown':
      // Meanwhile index.html draws.
      return null;
    case 'failed':
      return <Unreachable error={state.error} />;
    case 'signedOut':
      return <Navigate to={`/admin/sign-in?from=${encodeURIComponent(pathname + search)}`} replace />;
    default:
      return (
        <>
          {children}
          <SignInAgain user={state.session.user} isOpen={state.phase === 'ended' && state.isAsking} />
        </>
      );
  }
}

function Unreachable({ error }: { error: unknown }) {
  return (
    <NarrowPage name="Unreachable" title="Colophon could not be opened" width={420}>
      <ProblemAlert
        error={error}
        title="Could not check whether you are signed in"
        onRetry={sessionKeeper.load}
      />
    </NarrowPage>
  );
}
