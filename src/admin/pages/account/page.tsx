/**
 * The page of the signed-in user: email and role, how the UI looks, the password, and the sessions.
 */

import {
  Group,
  NativeSelect,
  PasswordInput,
  type PasswordInputProps,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { admin, answer } from '../../api.ts';
import { BusyButton, useAction } from '../../parts/forms/busy-button.tsx';
import { errorAt, newPasswordRule } from '../../parts/forms/error-at.ts';
import { type Fact, FactTable } from '../../parts/layout/fact-table.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment, useNow } from '../../parts/time/ago.tsx';
import { chooseDateLanguage, dateLanguage, listDateLanguages } from '../../parts/time/local-time.ts';
import { roleMeanings } from '../../roles.ts';
import { useSession } from '../../session.ts';
import { useProviderLabel } from '../../sign-in-methods.ts';
import { OwnSessions, ownSessionList } from './sessions.tsx';

export default function Account() {
  const user = useSession()?.user;
  const isOfProvider = user?.signInMethod === 'openid-connect';
  const label = useProviderLabel() ?? 'OpenID Connect';
  const facts: readonly Fact[] = [
    ['Email', user?.email],
    ['Name', user?.name],
    ['Role', user && `${user.role}: ${roleMeanings[user.role]}`],
    ['Sign-in', isOfProvider && `By ${label}, which also gives the role`],
  ];
  return (
    <Page title="My account">
      <FactTable facts={facts} />
      <Section title="Appearance">
        <Appearance />
      </Section>
      {!isOfProvider && (
        <Section title="Password">
          <PasswordForm />
        </Section>
      )}
      <Section title="Sessions">
        <OwnSessions />
      </Section>
    </Page>
  );
}

const schemes = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** How the UI looks in this browser: its colours, and the language of dates. */
function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group align="start">
      <NativeSelect
        label="Colours"
        value={colorScheme}
        data={[...schemes]}
        onChange={({ currentTarget: { value } }) => {
          const scheme = schemes.find((each) => each.value === value);
          if (scheme) setColorScheme(scheme.value);
        }}
      />
      <NativeSelect
        label="Language of dates"
        description={
          <Text span inherit>
            <Moment ms={useNow()} />
          </Text>
        }
        value={dateLanguage() ?? ''}
        data={[{ value: '', label: 'That of the browser' }, ...listDateLanguages()]}
        onChange={({ currentTarget: { value } }) => {
          chooseDateLanguage(value === '' ? undefined : value);
          window.location.reload();
        }}
      />
    </Group>
  );
}

const empty = { currentPassword: '', newPassword: '' };

/** The form. It is cleared once the password has changed. */
function PasswordForm() {
  const client = useQueryClient();
  const [fields, setFields] = useState(empty);
  const change = async (body: typeof empty) => {
    await answer(admin.changeOwnPassword({ body }));
    await client.invalidateQueries({ queryKey: ownSessionList.queryKey });
  };
  const { run, error, isPending } = useAction(change, {
    onSuccess: () => {
      setFields(empty);
      notifications.show({ message: 'Your password has changed. Your other sessions have ended.' });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run(fields);
  };
  const input = (name: keyof typeof empty, props: PasswordInputProps & { readonly label: string }) => (
    <PasswordInput
      {...props}
      required
      value={fields[name]}
      onChange={({ currentTarget: { value } }) => setFields((before) => ({ ...before, [name]: value }))}
      error={errorAt(error, name)}
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide: ${props.label}` }}
    />
  );
  const isPlaced = (['currentPassword', 'newPassword'] as const).some(
    (name) => errorAt(error, name) !== undefined,
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Change the password">
      <Stack gap="xs" maw={400}>
        {input('currentPassword', { label: 'Present password', autoComplete: 'current-password' })}
        {input('newPassword', {
          label: 'New password',
          autoComplete: 'new-password',
          description: `${newPasswordRule} Your other sessions end.`,
        })}
        {!isPlaced && <ProblemAlert error={error} title="Your password has not changed" />}
        <Group>
          <BusyButton isBusy={isPending}>Change password</BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
