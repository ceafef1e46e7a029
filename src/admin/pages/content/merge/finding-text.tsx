/**
 * Says in words why a draft cannot be published.
 */
import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Place, PublicationFinding } from '../../../api.ts';
import { sayPattern } from '../../../parts/data/describe-pattern.ts';
import { countOf } from '../../../parts/data/number-words.ts';

/** The words; `linkTo` draws the name of a field, leading to its input. */
export function FindingText({
  finding,
  linkTo,
}: {
  finding: PublicationFinding;
  linkTo: (place: Place) => ReactNode;
}) {
  const { problems } = finding;
  if (!problems) return <Text size="sm">{describe(finding)}</Text>;
  return (
    <List size="sm">
      {problems.map((place) => (
        <List.Item key={`${place.path} ${place.message}`}>
          {linkTo(place)} {sayPattern(place.message)}
        </List.Item>
      ))}
    </List>
  );
}

function describe({ code, action, conflicts = [], message }: PublicationFinding): string {
  if (code === 'not_found') return 'Someone has deleted the live asset that this draft changes.';
  if (code === 'id_in_use') return 'The asset that this draft creates is live already.';
  if (code !== 'edit_conflict') return `${message}.`;
  if (action === 'delete') return 'Someone has changed the live asset since it was to be deleted.';
  if (conflicts.length === 0) return 'Someone has changed the live asset since this draft began.';
  return `Someone has changed ${countOf(conflicts.length, 'field')} of the live asset that this draft changes, too.`;
}
