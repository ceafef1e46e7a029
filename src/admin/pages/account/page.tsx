/**
 * The page of the signed-in user: email and role, the password, and the sessions.
 */
import { Table } from '@mantine/core';
import { Page, Section } from '../../parts/layout/page.tsx';
import { roleMeanings } from '../../roles.ts';
import { useSession } from '../../session.ts';
import { useProviderLabel } from '../../sign-in-methods.ts';
import { PasswordForm } from './password-form.tsx';
import { OwnSessions } from './sessions.tsx';

export default function Account() {
  const user = useSession()?.user;
  const isOfProvider = user?.signInMethod === 'openid-connect';
  const label = useProviderLabel() ?? 'OpenID Connect';
  const facts = [
    ['Email', user?.email],
    ['Name', user?.name],
    ['Role', user && `${user.role}: ${roleMeanings[user.role]}`],
    ['Sign-in', isOfProvider ? `By ${label}, which also gives the role` : undefined],
  ].filter(([, text]) => text !== undefined);
  return (
    <Page title="My account">
      <Table aria-label="Facts" withRowBorders={false} verticalSpacing={4} w="auto">
        <Table.Tbody>
          {facts.map(([name, text]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={100}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
