/**
 * Names the fields that a change has changed.
 */
import { Text } from '@mantine/core';

const maxNames = 6;

/** The names in one line, without the date of the change, which every change sets. */
export function ChangedFields({ names }: { names: readonly string[] }) {
  const shown = names.filter((name) => name !== 'cms.content.updateDate');
  const rest = shown.length - maxNames;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {shown.slice(0, maxNames).join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </Text>
  );
}
