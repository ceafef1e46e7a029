/**
 * Signs in and returns to the page that asked for it; or signs out a user who has left a page to do so.
 */
import { Button, Divider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useAction } from '../../parts/forms/busy-button.tsx';
import { NarrowPage } from '../../parts/layout/narrow-page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { signOut, useSessionState } from '../../session.ts';
import { SignInForm } from '../../sign-in-form.tsx';
import { beginOpenidSignIn, signInMethods, useProviderLabel } from '../../sign-in-methods.ts';

export default function SignIn() {
  const { phase } = useSessionState();
  const { state } = useLocation();
  const [parameters] = useSearchParams();
  const isLeaving = state?.signOut === true;
  const from = toLocalPath(parameters.get('from'));
  if (phase === 'signedIn' && !isLeaving) return <Navigate to={from} replace />;
  return (
    <NarrowPage name="Sign in" title={isLeaving ? 'Sign out of Colophon' : 'Sign in to Colophon'}>
      {isLeaving ? (
        <SigningOut />
      ) : (
        <>
          <OpenidSignIn from={from} />
          <SignInForm />
        </>
      )}
    </NarrowPage>
  );
}

/** The button that leads to the provider; nothing without one. */
function OpenidSignIn({ from }: { from: string }) {
  const { error, refetch } = useQuery(signInMethods);
  const label = useProviderLabel();
  const { run, error: failure, isPending } = useAction(beginOpenidSignIn);
  if (error)
    return <ProblemAlert error={error} title="Other ways to sign in could not be read" onRetry={refetch} />;
  if (label === undefined) return null;
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => run(from)}>
        Sign in with {label}
      </Button>
      <ProblemAlert error={failure} title="Sign-in failed" />
      <Divider label="or with a password" labelPosition="center" />
    </>
  );
}

function SigningOut() {
  const navigate = useNavigate();
  const { run, error, isPending } = useAction(signOut, {
    onSuccess: () => navigate('/admin/sign-in', { replace: true }),
  });
  const start = useEffectEvent(() => run());
  useEffect(() => start(), []);
  if (!error || isPending) return <Loading />;
  return <ProblemAlert error={error} title="You are still signed in" onRetry={run} />;
}

/** Where to go after the sign-in. An address of another site is ignored. */
function toLocalPath(from: string | null): string {
  return from?.startsWith('/') && !/^\/[/\\]/.test(from) ? from : '/admin';
}
