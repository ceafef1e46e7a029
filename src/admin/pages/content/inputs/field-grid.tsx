/**
 * The places of inputs: two columns, sections with headings, and short fields two in a row where there is room.
 */
import { Box, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
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
