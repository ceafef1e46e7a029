/**
 * The page of an invitation: the invited person sets a name and a password, and is signed in. The link has its token after `#`, so
 * that it reaches no log of a server or proxy.
 */
import { Anchor, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { ApiProblem, admin, answer } from '../api.ts';
import { BusyButton, useAction } from '../parts/forms/busy-button.tsx';
import { errorAt, newPasswordRule } from '../parts/forms/error-at.ts';
import { NarrowPage } from '../parts/layout/narrow-page.tsx';
import { Loading } from '../parts/loading/loading.tsx';
import { ProblemAlert } from '../parts/problems/problem-alert.tsx';
import { signIn } from '../session.ts';

export default function InvitationPage() {
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => answer(admin.checkInvitation({ body: { token } })),
    gcTime: 0,
  });
  return (
    <NarrowPage name="Invitation" title="Welcome to Colophon" width={400}>
      {query.data && <AcceptForm token={token} email={query.data.email} />}
      {!query.data && query.isFetching && <Loading />}
      {!query.data && !query.isFetching && <Refused error={query.error} onRetry={query.refetch} />}
    </NarrowPage>
  );
}

function Refused({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const hasEnded = error instanceof ApiProblem && error.code === 'invitation_ended';
  return (
    <>
      <ProblemAlert
        error={error}
        title={hasEnded ? 'The invitation is not valid' : 'The invitation could not be read'}
        onRetry={hasEnded ? undefined : onRetry}
      />
      <Anchor component={Link} to="/admin" underline="always" size="sm">
        Sign in
      </Anchor>
    </>
  );
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const [fields, setFields] = useState({ name: '', password: '' });
  const [isAccepted, setAccepted] = useState(false);
  const accept = async ({ name, password }: typeof fields) => {
    // Only the sign-in is tried again when it fails, since the link works once.
    if (!isAccepted) await answer(admin.acceptInvitation({ body: { token, name, password } }));
    setAccepted(true);
    await signIn({ email, password });
  };
  const { run, error, isPending } = useAction(accept, {
    onSuccess: () => navigate('/admin', { replace: true }),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run(fields);
  };
  const flaws = { name: errorAt(error, 'name'), password: errorAt(error, 'password') };
  const isPlaced = flaws.name !== undefined || flaws.password !== undefined;
  return (
    <form onSubmit={submit} noValidate aria-label="Accept the invitation">
      <Stack>
        <Text size="sm">
          You are invited as <strong>{email}</strong>. Set your name and a password to sign in.
        </Text>
        <TextInput
          label="Name"
          required
          autoComplete="name"
          value={fields.name}
          onChange={({ currentTarget: { value } }) => setFields((before) => ({ ...before, name: value }))}
          error={flaws.name}
        />
        {/* For password managers, which store the password under it. */}
        <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Password"
          description={newPasswordRule}
          required
          autoComplete="new-password"
          value={fields.password}
          onChange={({ currentTarget: { value } }) => setFields((before) => ({ ...before, password: value }))}
          error={flaws.password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
        {!isPlaced && (
          <ProblemAlert
            error={error}
            title={
              isAccepted ? 'Your password is set, but the sign-in failed' : 'The invitation was not accepted'
            }
          />
        )}
        <BusyButton isBusy={isPending}>Set password and sign in</BusyButton>
      </Stack>
    </form>
  );
}
