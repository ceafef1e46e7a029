/**
 * The page to which an OpenID Connect provider sends the browser back: finishes the sign-in and goes to the page that asked for it.
 */
import { Anchor } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { ApiProblem } from '../../api.ts';
import { useAction } from '../../parts/forms/busy-button.tsx';
import { NarrowPage } from '../../parts/layout/narrow-page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { useSessionState } from '../../session.ts';
import { finishOpenidSignIn } from '../../sign-in-methods.ts';

export default function SignInCallback() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const { phase } = useSessionState();
  const { run, error, isPending } = useAction(finishOpenidSignIn, {
    onSuccess: (returnTo) => navigate(returnTo, { replace: true }),
  });
  const start = useEffectEvent(() => run(search));
  // An answer about the session of before must not come after the new session.
  const isReady = phase !== 'unknown';
  useEffect(() => {
    if (isReady) start();
  }, [isReady]);
  return (
    <NarrowPage name="Sign in" title="Sign in to Colophon" width={420}>
      {error && !isPending ? (
        <>
          <ProblemAlert
            error={error}
            title="Sign-in failed"
            onRetry={isPassing(error) ? () => run(search) : undefined}
          />
          <Anchor component={Link} to="/admin/sign-in" underline="always" size="sm">
            Sign in
          </Anchor>
        </>
      ) : (
        <Loading />
      )}
    </NarrowPage>
  );
}

/** Whether the same sign-in may still succeed: nobody has refused it. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}
