/**
 * The bar that stays visible below a long form: unsaved changes, what is wrong, the error of the last save, and the buttons.
 */
import { Alert, Box, Button, Group, List, Paper, Text } from '@mantine/core';
import { useEffect } from 'react';
import { ApiProblem, type ContentType } from '../../../api.ts';
import { isWithin, labelOfPath } from '../../../parts/data/field-label.ts';
import { FieldLink } from '../../../parts/forms/field-link.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { toInputPath } from '../draft/find-messages.ts';
import type { AssetFormState } from '../draft/use-asset-form.ts';
import { FindingText } from '../merge/finding-text.tsx';
import { ResolveButton } from '../merge/resolve-draft.tsx';

/** The buttons of the surrounding form. Its main one submits it. */
export function SaveBar({ type, isNew, form }: { type: ContentType; isNew: boolean; form: AssetFormState }) {
  useScrollPadding();
  const { changed, flawCount, isSaving, error, discard, toFix, place, draftsOnly, saveDraft } = form;
  const hasChanges = isNew || changed.size > 0;
  return (
    <Paper withBorder p="sm" pos="sticky" bottom={8} style={{ zIndex: 1 }}>
      {error !== null && !isAtFields(error, type) && (
        <Box mah="40vh" mb="sm" style={{ overflowY: 'auto' }}>
          <ProblemAlert
            error={error}
            title={isGone(error) ? goneTitle : 'Not saved'}
            nameOf={(path) => labelOfPath(type, path)}
          />
        </Box>
      )}
      {toFix.length > 0 && <ToFix type={type} form={form} />}
      <Refusal type={type} form={form} />
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {flawCount > 0 ? `${count(flawCount, 'problem')} to fix` : describeChanges(isNew, changed.size)}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={changed.size === 0} onClick={discard}>
            Discard changes
          </Button>
          {place.release !== null && !draftsOnly && (
            <Button variant="default" loading={isSaving} disabled={!hasChanges} onClick={saveDraft}>
              Save draft
            </Button>
          )}
          {(place.release !== null || !draftsOnly) && (
            <Button
              type="submit"
              loading={isSaving}
              disabled={!hasChanges && (draftsOnly || !place.isDrafted)}
            >
              {draftsOnly ? 'Save draft' : 'Publish'}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}

/** Why the draft, which is saved, was not published. */
function Refusal({ type, form }: { type: ContentType; form: AssetFormState }) {
  const { refusal, place, goTo, showStored } = form;
  if (!refusal || place.release === null) return null;
  return (
    <Alert color="red" variant="light" title="Saved as a draft, but not published" role="alert" mb="sm">
      <FindingText
        finding={refusal}
        linkTo={({ path }) => (
          <FieldLink label={labelOfPath(type, path)} onGo={() => goTo(toInputPath(path))} />
        )}
      />
      <ResolveButton release={place.release} finding={refusal} onResolved={showStored} />
    </Alert>
  );
}

/** What is wrong, each with the name that its field has in the form, and leading to it. */
function ToFix({ type, form: { toFix, goTo } }: { type: ContentType; form: AssetFormState }) {
  return (
    <Alert color="red" variant="light" title="Not saved" role="alert" mb="sm">
      <List size="sm" mah="25vh" style={{ overflowY: 'auto' }}>
        {toFix.map(([path, message]) => (
          <List.Item key={path}>
            <FieldLink label={labelOfPath(type, path)} onGo={() => goTo(path)} /> {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const goneTitle = 'Not saved: someone has deleted this asset. Restore it from its history, then save again.';

const isGone = (error: unknown) => error instanceof ApiProblem && error.status === 404;

/** Whether all that an error says is about fields of the form, which show it. */
function isAtFields(error: unknown, { fields }: ContentType): boolean {
  if (!(error instanceof ApiProblem) || error.problems.length === 0) return false;
  return error.problems.every(({ path }) => fields.some(({ name }) => isWithin(path, name)));
}

/** Keeps the focused element from being hidden behind the bar or the page header. */
function useScrollPadding(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBlock = 'calc(var(--app-shell-header-height, 56px) + 16px) 96px';
    return () => {
      style.scrollPaddingBlock = '';
    };
  }, []);
}

function describeChanges(isNew: boolean, changeCount: number): string {
  if (isNew) return 'Not saved yet';
  return changeCount === 0 ? 'All changes saved' : `${count(changeCount, 'field')} changed`;
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
