/**
 * Signs in, and goes back to where one was.
 */
import { Button, Center, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { ProblemAlert } from '../parts/problem-alert.tsx';
import { useSession, useSignIn } from '../session.tsx';

export default function SignIn() {
  const session = useSession();
  const { signIn } = useSignIn();
  const [parameters] = useSearchParams();
  const { mutate, isPending, error } = useMutation({ mutationFn: signIn });
  useEffect(() => {
    document.title = 'Sign in · Colophon';
  }, []);
  if (session) return <Navigate to={toLocalPath(parameters.get('from'))} replace />;

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={360}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              Sign in to Colophon
            </Title>
            <TextInput label="Email" name="email" autoComplete="username" required autoFocus />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              required
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
            />
            <ProblemAlert error={error} title="You are not signed in" />
            <Button type="submit" loading={isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

/** Where to go; never to another site, whatever the address says. */
function toLocalPath(from: string | null): string {
  return from?.startsWith('/') && !/^\/[/\\]/.test(from) ? from : '/admin';
}
