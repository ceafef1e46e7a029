/**
 * The bar that stays visible below a long form: unsaved changes, the error of the last save, and the buttons.
 */
import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useEffect } from 'react';
import { ApiProblem } from '../../../api.ts';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import type { AssetFormState } from '../draft/use-asset-form.ts';

/** The buttons of the surrounding form. Saving submits it. */
export function SaveBar({ isNew, form }: { isNew: boolean; form: AssetFormState }) {
  useScrollPadding();
  const { changed, flawCount, isSaving, error, discard } = form;
  return (
    <Paper withBorder p="sm" pos="sticky" bottom={8} style={{ zIndex: 1 }}>
      {error !== null && (
        <Box mah="40vh" mb="sm" style={{ overflowY: 'auto' }}>
          <ProblemAlert error={error} title={isGone(error) ? goneTitle : 'Not saved'} />
        </Box>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {flawCount > 0 ? `${count(flawCount, 'problem')} to fix` : describeChanges(isNew, changed.size)}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={changed.size === 0} onClick={discard}>
            Discard
          </Button>
          <Button type="submit" loading={isSaving} disabled={!isNew && changed.size === 0}>
            {isNew ? 'Create' : 'Save'}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

const goneTitle = 'Not saved: someone has deleted this asset. Restore it from its history, then save again.';

const isGone = (error: unknown) => error instanceof ApiProblem && error.status === 404;

/** Keeps the focused element from being hidden behind the bar or the page header. */
function useScrollPadding(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBlock = '72px 96px';
    return () => {
      style.scrollPaddingBlock = '';
    };
  }, []);
}

function describeChanges(isNew: boolean, changeCount: number): string {
  if (isNew) return 'Not created yet';
  return changeCount === 0 ? 'All changes saved' : `${count(changeCount, 'field')} changed`;
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
