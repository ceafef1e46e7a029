/**
 * What to do about a stored value of a field that the type does not have. No form has an input for it.
 */
import { Text } from '@mantine/core';

/** The hint, below the message of the rule. */
export function UnknownFieldHint() {
  return (
    <Text size="xs" c="dimmed">
      Name the field in @drops of its type, or declare it again.
    </Text>
  );
}
