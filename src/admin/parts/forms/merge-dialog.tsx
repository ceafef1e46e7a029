/**
 * Asks which value to keep of each field that two people have changed at the same time.
 */
import { Paper, Radio, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../confirm/confirm.tsx';
import type { MergeConflict, TheirChanges } from '../difference/same-value.ts';

/** Whose value of a field to keep. */
export type Side = 'mine' | 'theirs';

/**
 * The dialog. `onMerge` receives the names of the fields whose values of the other person are kept. `action` is the word on its button,
 * `after` says what happens then; `labelOf` names a field, and `children` draw one of its values.
 */
export function MergeDialog({
  changes: { conflicts, others },
  labelOf,
  action = 'Save',
  after = 'Nothing is saved until you do.',
  lastSave,
  onClose,
  onMerge,
  children,
}: {
  changes: TheirChanges;
  labelOf: (name: string) => string;
  action?: string;
  after?: string;
  /** Who the other person is. */
  lastSave?: ReactNode;
  onClose: () => void;
  onMerge: (theirs: readonly string[]) => void | Promise<void>;
  children: (conflict: MergeConflict, side: Side) => ReactNode;
}) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const names = conflicts.map(({ name }) => name);
  return (
    <Confirm
      title="Someone else has changed the same fields"
      size="xl"
      consequence={`Choose which value to keep for each field. ${after}`}
      action={action}
      color="indigo"
      isReady={names.every((name) => sides[name] !== undefined)}
      isOpen
      onClose={onClose}
      onConfirm={async () => await onMerge(names.filter((name) => sides[name] === 'theirs'))}
    >
      {lastSave}
      <Stack
        gap="md"
        mah="55vh"
        style={{ overflowY: 'auto' }}
        tabIndex={0}
        role="group"
        aria-label="Conflicts"
      >
        {conflicts.map((conflict) => (
          <Radio.Group
            key={conflict.name}
            label={labelOf(conflict.name)}
            value={sides[conflict.name] ?? null}
            // Safe: the values of the choices below.
            onChange={(side) => setSides((before) => ({ ...before, [conflict.name]: side as Side }))}
          >
            <Stack gap="xs" mt="xs">
              {choices.map(({ side, label }) => (
                <Paper key={side} withBorder p="sm">
                  <Radio
                    value={side}
                    label={label}
                    aria-label={`${label} of ${labelOf(conflict.name)}`}
                    mb="xs"
                  />
                  {children(conflict, side)}
                </Paper>
              ))}
            </Stack>
          </Radio.Group>
        ))}
        {others.length > 0 && (
          <Text size="sm">Their changes of other fields are kept: {others.map(labelOf).join(', ')}.</Text>
        )}
      </Stack>
    </Confirm>
  );
}

const choices = [
  { side: 'theirs', label: 'Keep their value' },
  { side: 'mine', label: 'Keep my value' },
] as const;
