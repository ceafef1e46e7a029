/**
 * Shows who made a change.
 */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Actor } from '../../api.ts';
import { useMayOpen } from '../../roles.ts';

const kinds: Readonly<Record<Actor['kind'], string>> = {
  client: 'API client',
  user: 'User',
  anonymous: 'Anyone',
  command: 'Command line',
  system: 'Colophon',
};

/** The name of a sender in one line of text. */
export function nameOfActor({ kind, name }: Actor): string {
  return kind === 'anonymous' ? kinds[kind] : (name ?? kinds[kind]);
}

/** The name, and the kind of sender where the name does not tell it. An API client is a link to its page for those who may open it. */
export function ActorName({ actor }: { actor: Actor }) {
  const { kind, id } = actor;
  const name = nameOfActor(actor);
  const mayOpen = useMayOpen('/admin/api-clients/new');
  return (
    <>
      {kind === 'client' && id !== undefined && mayOpen ? (
        <Anchor
          component={Link}
          to={`/admin/api-clients/${encodeURIComponent(id)}`}
          size="sm"
          display="inline-block"
        >
          {name}
        </Anchor>
      ) : (
        name
      )}
      {(kind === 'client' || kind === 'command') && name !== kinds[kind] && (
        <>
          {' '}
          <Text span size="xs" c="dimmed" display="inline-block">
            {kinds[kind]}
          </Text>
        </>
      )}
    </>
  );
}
