/**
 * The frame of a field that consists of several inputs: a list, or an embedded value.
 */
import { Fieldset, Stack, Text } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';

/** A group with its label, its description and its own error. `path` is that of the field. */
export function GroupFrame({
  name,
  path,
  hint,
  message,
  ref,
  children,
}: {
  name: ReactNode;
  path: string;
  hint: ReactNode;
  message: string | undefined;
  ref?: Ref<HTMLFieldSetElement>;
  children: ReactNode;
}) {
  const messageId = useId();
  return (
    <Fieldset
      legend={name}
      ref={ref ?? null}
      data-path={path}
      aria-describedby={message === undefined ? undefined : messageId}
      styles={{ legend: { fontSize: '0.875rem', fontWeight: 'var(--mantine-font-weight-medium)' } }}
    >
      <Stack gap="sm" align="stretch">
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
        {message && (
          <Text id={messageId} size="xs" c="var(--mantine-color-error)">
            {message}
          </Text>
        )}
        {children}
      </Stack>
    </Fieldset>
  );
}
