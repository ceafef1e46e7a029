/**
 * The filter above the assets of a type: a predicate, which can be written, or built of conditions by clicks.
 */
import { Button, CloseButton, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { ContentType } from '../../../../api.ts';
import { PredicateInput } from '../../../../parts/predicates/predicate-input.tsx';
import { PredicateError, type PredicateFlaw } from '../../../../parts/problems/predicate-error.tsx';
import { ConditionForm } from './condition-form.tsx';
import { joinConditions, splitConditions } from './conditions.ts';

/**
 * Edits a predicate; `where` is the one that is in force, `flaw` what is wrong with it, `example` the name of a field. `onFilter`
 * receives what the one in force becomes.
 */
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
  onFilter: (next: (before: string) => string) => void;
}) {
  /** What is typed over a predicate; another one, as after going back, takes its place. */
  const [typed, setTyped] = useState<{ text: string; over: string }>();
  const [isAdding, setIsAdding] = useState(false);
  const unsent = typed?.over === where ? typed.text : undefined;
  const text = unsent ?? where;
  const filter = (next: (before: string) => string) => {
    setTyped(undefined);
    onFilter((before) => next(unsent ?? before));
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    filter((before) => before.trim());
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
            onChange={(next) => setTyped({ text: next, over: where })}
            error={flaw !== undefined}
          />
          <Button type="submit" variant="default">
            Filter
          </Button>
          <Button variant="default" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
            Add a condition
          </Button>
          {where !== '' && (
            <Button variant="subtle" onClick={() => filter(() => '')}>
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
              filter((before) => joinConditions([...splitConditions(before), condition]));
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
                onClick={() =>
                  onFilter((before) =>
                    joinConditions(splitConditions(before).filter((each) => each !== condition)),
                  )
                }
              />
            </Group>
          ))}
        </Group>
      )}
    </Stack>
  );
}
