/**
 * Signs in and returns to the page that asked for it; or signs out a user who has left a page to do so.
 */
import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useAction } from '../parts/forms/use-action.ts';
import { Logo } from '../parts/layout/logo.tsx';
import { Loading } from '../parts/loading/loading.tsx';
import { ProblemAlert } from '../parts/problems/problem-alert.tsx';
import { signOut, useSessionState } from '../session.ts';
import { SignInForm } from '../sign-in-form.tsx';

export default function SignIn() {
  const { phase } = useSessionState();
  const { state } = useLocation();
  const [parameters] = useSearchParams();
  const isLeaving = state?.signOut === true;
  useEffect(() => {
    document.title = 'Sign in · Colophon';
  }, []);
  if (phase === 'signedIn' && !isLeaving) {
    return <Navigate to={toLocalPath(parameters.get('from'))} replace />;
  }
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={360}>
        <Stack>
          <Group gap="sm">
            <Logo size={28} />
            <Title order={1} size="h3">
              {isLeaving ? 'Sign out of Colophon' : 'Sign in to Colophon'}
            </Title>
          </Group>
          {isLeaving ? <SigningOut /> : <SignInForm />}
        </Stack>
      </Paper>
    </Center>
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
