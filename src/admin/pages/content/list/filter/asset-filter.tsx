/**
 * The filter above the assets of a type: a predicate, which can be written, or built of conditions by clicks.
 */
import { Button, CloseButton, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { ContentType } from '../../../../api.ts';
import { PredicateInput } from '../../../../parts/predicates/predicate-input.tsx';
import { PredicateError, type PredicateFlaw } from '../../../../parts/problems/predicate-error.tsx';
import { ConditionForm } from './condition-form.tsx';
import { joinConditions, splitConditions } from './conditions.ts';

/** Edits a predicate; `where` is the one that is in force, `flaw` what is wrong with it, `example` the name of a field. */
export function AssetFilter({
  type,
  where,
  flaw,
  example,
  onFilter,
}: {
  type: ContentType;
  where: string;
  flaw: PredicateFlaw | undefined;
  example: string;
  onFilter: (where: string) => void;
}) {
  const [text, setText] = useState(where);
  const [isAdding, setIsAdding] = useState(false);
  // Going back changes what is in force.
  useEffect(() => setText(where), [where]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onFilter(text.trim());
  };
  const conditions = flaw ? [] : splitConditions(where);
  return (
    <Stack gap="xs">
      <form onSubmit={submit} aria-label="Filter the assets">
        <Group align="flex-end" gap="xs">
          <PredicateInput
            type={type}
            label="Filter"
            description={`A predicate, such as ${example} contains[c] 'press'`}
            value={text}
            onChange={setText}
            error={flaw !== undefined}
          />
          <Button type="submit" variant="default">
            Filter
          </Button>
          <Button variant="default" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
            Add a condition
          </Button>
          {where !== '' && (
            <Button variant="subtle" onClick={() => onFilter('')}>
              Clear
            </Button>
          )}
        </Group>
        {flaw && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)" mt={4} pl="sm" component="div">
            <PredicateError where={where} flaw={flaw} />
          </Text>
        )}
      </form>
      {isAdding && (
        <Paper withBorder p="sm">
          <ConditionForm
            type={type}
            onAdd={(condition) => {
              setIsAdding(false);
              onFilter(joinConditions([...splitConditions(text), condition]));
            }}
            onClose={() => setIsAdding(false)}
          />
        </Paper>
      )}
      {conditions.length > 0 && (
        <Group
          gap="xs"
          component="ul"
          role="list"
          aria-label="Conditions"
          m={0}
          p={0}
          style={{ listStyle: 'none' }}
        >
          {conditions.map((condition, index) => (
            <Group key={`${index} ${condition}`} component="li" gap={2} wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{condition}</Code>
              <CloseButton
                size="sm"
                aria-label={`Remove the condition ${condition}`}
                onClick={() => onFilter(joinConditions(conditions.toSpliced(index, 1)))}
              />
            </Group>
          ))}
        </Group>
      )}
    </Stack>
  );
}
