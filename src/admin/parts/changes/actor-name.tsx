/**
 * The words of changes: who made one, what was done, and the run that it belongs to.
 */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Actor, ChangeAction } from '../../api.ts';
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

/** What was done, to begin a cell or a sentence. */
export const actionWords: Readonly<Record<ChangeAction, string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  erase: 'Erased',
  signIn: 'Signed in',
};

/** The address of the page of a run. */
export const pathOfRun = (name: string) => `/admin/runs/${encodeURIComponent(name)}`;

/** The name of a run, as a link for those who may open it, underlined where it `isInText`; nothing without a run. */
export function RunLink({ name, isInText = false }: { name: string | undefined; isInText?: boolean }) {
  const mayOpen = useMayOpen('/admin/runs');
  if (name === undefined) return null;
  if (!mayOpen) return <span style={{ overflowWrap: 'anywhere' }}>{name}</span>;
  return (
    <Anchor
      component={Link}
      to={pathOfRun(name)}
      {...(isInText ? { inherit: true, underline: 'always' } : { size: 'sm' })}
      style={{ overflowWrap: 'anywhere' }}
    >
      {name}
    </Anchor>
  );
}
