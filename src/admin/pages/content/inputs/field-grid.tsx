/**
 * The places of inputs: two columns, sections with headings, and short fields two in a row where there is room.
 */
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import type { Field } from '../../../api.ts';
import { type FieldGroup, isShort } from '../draft/arrange-fields.ts';
import classes from './field-grid.module.css';

/** The main part of a form and what stands beside it, or below it where there is no room. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={classes.frame}>
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          {main}
        </Stack>
        <Stack gap="md" miw={0}>
          {side}
        </Stack>
      </div>
    </div>
  );
}

/** Groups of fields as sections; `draw` renders one field. */
export function FieldSections({
  groups,
  draw,
}: {
  groups: readonly FieldGroup[];
  draw: (field: Field) => ReactNode;
}) {
  return groups.map(({ name, fields }) => {
    const grid = (
      <div className={classes.frame}>
        <div className={classes.grid}>
          {fields.map((field) => (
            <div key={field.name} {...(!isShort(field) && { className: classes.wide })}>
              {draw(field)}
            </div>
          ))}
        </div>
      </div>
    );
    if (name === undefined) return <div key="">{grid}</div>;
    return (
      <Box key={name} component="section" aria-label={name} className={classes.section}>
        <Title order={2} size="h4" mb="sm" dir="auto">
          {name}
        </Title>
        {grid}
      </Box>
    );
  });
}

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
