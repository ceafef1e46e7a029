/**
 * The frame of a field that consists of several inputs: a list, or an embedded value.
 */
import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import classes from './group-frame.module.css';

/** A group with its label, its description and its own error. `path` is that of the field. */
export function GroupFrame({
  name,
  path,
  hint,
  message,
  count,
  actions,
  isLined = false,
  ref,
  children,
}: {
  name: ReactNode;
  path: string;
  hint: ReactNode;
  message: string | undefined;
  /** How much of a limit is used. */
  count?: ReactNode;
  /** The buttons at the end of the line of the label. */
  actions?: ReactNode;
  /** Whether a line at the left shows what belongs to the group. */
  isLined?: boolean;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  const [nameId, messageId] = [useId(), useId()];
  return (
    <Stack
      gap={6}
      role="group"
      ref={ref ?? null}
      data-path={path}
      aria-labelledby={nameId}
      aria-describedby={message === undefined ? undefined : messageId}
    >
      <Group gap="xs" wrap="nowrap" justify="space-between" data-heading>
        <Text id={nameId} size="sm" fw={600} component="div" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {count}
        {actions}
      </Group>
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
      <Stack gap="sm" align="stretch" className={isLined ? classes.lined : undefined}>
        {children}
      </Stack>
    </Stack>
  );
}
