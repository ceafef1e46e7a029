/**
 * The page of the signed-in user: email and role, how the UI looks, the password, and the sessions.
 */
import { type Fact, FactTable } from '../../parts/layout/fact-table.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { roleMeanings } from '../../roles.ts';
import { useSession } from '../../session.ts';
import { useProviderLabel } from '../../sign-in-methods.ts';
import { Appearance } from './appearance.tsx';
import { PasswordForm } from './password-form.tsx';
import { OwnSessions } from './sessions.tsx';

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
