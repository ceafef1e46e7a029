/**
 * The page of all users: invites them, changes their roles, disables and deletes them.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserInvitation } from '../../api.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { ShownOnce } from '../../parts/layout/shown-once.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { Invite } from './invite.tsx';
import { userList } from './user-data.ts';
import { type ChosenAction, UserDialog } from './user-dialogs.tsx';
import { UserTable } from './user-table.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [userList];

export default function Users() {
  const query = useQuery(userList);
  const [chosen, setChosen] = useState<ChosenAction>();
  const [invitation, setInvitation] = useState<UserInvitation>();
  return (
    <Page title="Users">
      <Loaded query={query} what="users">
        {({ items }) => <UserTable users={items} onAction={setChosen} />}
      </Loaded>
      <Section title="Invite a user">
        <Invite onInvited={setInvitation} />
      </Section>
      {chosen && <UserDialog chosen={chosen} onClose={() => setChosen(undefined)} onLinked={setInvitation} />}
      <ShownOnce
        title={`Link for ${invitation?.user.email}`}
        isOpen={invitation !== undefined}
        onClose={() => setInvitation(undefined)}
      >
        {invitation && <Link invitation={invitation} />}
      </ShownOnce>
    </Page>
  );
}

function Link({ invitation: { path, expiresAt } }: { invitation: UserInvitation }) {
  return (
    <>
      <Text size="sm">
        Send this link to the person. It can be used once, until <Moment ms={expiresAt} />, to set a name and
        a password.
      </Text>
      <CopyField label="Link" text={new URL(path, window.location.origin).href} />
    </>
  );
}
