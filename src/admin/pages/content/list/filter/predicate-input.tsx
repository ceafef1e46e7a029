/**
 * The input of a predicate. It completes fields, operators and values of enums.
 */
import { Autocomplete } from '@mantine/core';
import { useMemo } from 'react';
import type { ContentType } from '../../../../api.ts';
import { suggest } from './suggest.ts';

/** Edits a predicate about a type. The arrow keys choose a suggestion, and Enter without one submits the form. */
export function PredicateInput({
  type,
  label,
  description,
  value,
  onChange,
  isWrong,
}: {
  type: ContentType;
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  isWrong: boolean;
}) {
  const suggestions = useMemo(() => suggest(type, value), [type, value]);
  const words = new Map(suggestions.map(({ text, word }) => [text, word]));
  return (
    <Autocomplete
      label={label}
      description={description}
      value={value}
      onChange={onChange}
      data={suggestions.map(({ text }) => text)}
      // They fit the end of the text already.
      filter={({ options }) => options}
      renderOption={({ option }) => words.get(option.value)}
      openOnFocus={false}
      maxDropdownHeight={240}
      error={isWrong}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
      autoComplete="off"
      flex="1 1 240px"
    />
  );
}
