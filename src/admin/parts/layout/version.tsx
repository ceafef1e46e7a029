/**
 * The version of Colophon, which is that of the server: both are built and installed together.
 */
import { Text } from '@mantine/core';

/** The name and the version. */
export function Version() {
  return (
    <Text size="xs" px="sm" py="xs">
      Colophon {String(import.meta.env.COLOPHON_VERSION)}
    </Text>
  );
}
