/**
 * Links to a run.
 */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useMayOpen } from '../../roles.ts';

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
