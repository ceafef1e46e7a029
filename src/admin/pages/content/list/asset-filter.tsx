/**
 * The filter above the assets of a type: a predicate.
 */
import { Button, Group, Text, TextInput } from '@mantine/core';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { PredicateError, type PredicateFlaw } from '../../../parts/problems/predicate-error.tsx';

/** Edits a predicate; `where` is the one that is in force, `flaw` what is wrong with it, `example` the name of a field. */
export function AssetFilter({
  where,
  flaw,
  example,
  onFilter,
}: {
  where: string;
  flaw: PredicateFlaw | undefined;
  example: string;
  onFilter: (where: string) => void;
}) {
  const [text, setText] = useState(where);
  // Going back changes what is in force.
  useEffect(() => setText(where), [where]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onFilter(text.trim());
  };
  return (
    <form onSubmit={submit} aria-label="Filter the assets">
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Filter"
          description={`A predicate, such as ${example} contains[c] 'press'`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={flaw !== undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          spellCheck={false}
          autoComplete="off"
          flex="1 1 240px"
        />
        <Button type="submit" variant="default">
          Filter
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
  );
}
