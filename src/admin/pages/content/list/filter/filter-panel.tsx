/**
 * The panel in which a filter is built: a condition by clicks, or under "Advanced" the whole predicate.
 */
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { admin, answer, type ContentType } from '../../../../api.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { PredicateInput } from '../../../../parts/predicates/predicate-input.tsx';
import { findFlaw, PredicateError } from '../../../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { ConditionForm } from './condition-form.tsx';
import { joinConditions, splitConditions } from './conditions.ts';

/** The panel; `where` is the filter in force, `queryPath` the page of the query for those who may open it. */
export function FilterPanel({
  type,
  where,
  queryPath,
  onFilter,
  onClose,
}: {
  type: ContentType;
  where: string;
  queryPath: string | undefined;
  onFilter: (next: (before: string) => string) => void;
  onClose: () => void;
}) {
  const [isAdvanced, setIsAdvanced] = useState(false);
  return (
    <Paper withBorder p="sm" id="filter-panel">
      <Stack gap="xs">
        {isAdvanced ? (
          <PredicateForm
            type={type}
            where={where}
            onApply={(text) => {
              onFilter(() => text);
              onClose();
            }}
            onClose={onClose}
          />
        ) : (
          <ConditionForm
            type={type}
            onAdd={(condition) => {
              onFilter((before) => joinConditions([...splitConditions(before), condition]));
              onClose();
            }}
            onClose={onClose}
          >
            <Button variant="subtle" px="sm" onClick={() => setIsAdvanced(true)}>
              Advanced
            </Button>
          </ConditionForm>
        )}
        {isAdvanced && (
          <Group gap="sm">
            <Button size="compact-sm" variant="subtle" onClick={() => setIsAdvanced(false)}>
              Choose a field and a value
            </Button>
            {queryPath !== undefined && (
              <Anchor component={Link} to={queryPath} size="sm" underline="always">
                Open in Predicates
              </Anchor>
            )}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

/** Edits the whole predicate. A wrong one is not applied, so that the list stays as it is. */
function PredicateForm({
  type,
  where,
  onApply,
  onClose,
}: {
  type: ContentType;
  where: string;
  onApply: (where: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(where);
  const check = useAction(
    async (checked: string) => {
      const body = { from: type.class, where: checked };
      const problems = checked === '' ? [] : (await answer(admin.checkQuery({ body }))).problems;
      return { checked, flaw: findFlaw(problems) };
    },
    { onSuccess: ({ checked, flaw }) => flaw === undefined && onApply(checked) },
  );
  const flaw = check.data?.checked === text.trim() ? check.data.flaw : undefined;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    check.run(text.trim());
  };
  return (
    <form onSubmit={submit} aria-label="Filter by a predicate">
      <Group align="flex-start" gap="xs">
        <PredicateInput
          type={type}
          label="Predicate"
          description={`A condition on the fields, such as ${type.titleField ?? '_id'} contains[c] 'press'`}
          value={text}
          onChange={setText}
          error={flaw !== undefined}
        />
        <Button type="submit" mt={22} loading={check.isPending}>
          Apply
        </Button>
        <Button variant="default" mt={22} onClick={onClose}>
          Cancel
        </Button>
      </Group>
      {flaw && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" mt={4} pl="sm" component="div">
          <PredicateError where={text.trim()} flaw={flaw} />
        </Text>
      )}
      <ProblemAlert error={check.error} title="Could not check the predicate" />
    </form>
  );
}
