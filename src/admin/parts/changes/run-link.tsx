/**
 * Links to a run.
 */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

/** The address of the page of a run. */
export const pathOfRun = (name: string) => `/admin/runs/${encodeURIComponent(name)}`;

/** The name of a run as a link; nothing without a run. */
export function RunLink({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <Anchor component={Link} to={pathOfRun(name)} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Anchor>
  );
}
