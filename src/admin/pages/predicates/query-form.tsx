/**
 * The form of the query.
 */
import { Button, Group, NumberInput, type NumberInputProps, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, SyntheticEvent } from 'react';
import { defaultLimit } from '../../../text/page-limits.ts';
import type { AssetQuery } from '../../parts/data/asset-query.ts';
import { contentType } from '../../parts/data/content-types.ts';
import { listSortPaths } from '../../parts/data/describe-field.ts';
import { PredicateInput } from '../../parts/predicates/predicate-input.tsx';
import { usePredicateCheck } from '../../parts/predicates/use-predicate-check.ts';
import { PredicateError, type PredicateFlaw } from '../../parts/problems/predicate-error.tsx';
import { SortKeys } from './sort-keys.tsx';
import { TypeSelect, typeWidth } from './type-select.tsx';

/** Edits and runs a query. `flaw` is the error of the last predicate that ran; others are found while the user types. */
export function QueryForm({
  draft,
  onChange,
  onRun,
  isRunning,
  flaw,
}: {
  draft: AssetQuery;
  onChange: (draft: AssetQuery) => void;
  onRun: (query: AssetQuery) => void;
  isRunning: boolean;
  flaw: (PredicateFlaw & { where: string }) | undefined;
}) {
  const type = useQuery({ ...contentType(draft.from), enabled: draft.from !== '' });
  const found = usePredicateCheck(draft);
  const shown = flaw?.where === draft.where ? flaw : found;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (draft.from !== '') onRun({ ...draft, values: withoutLastBreak(draft.values) });
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  return (
    <form onSubmit={submit} onKeyDown={submitByKey} aria-label="Predicate">
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <TypeSelect
            value={draft.from}
            onChange={(from) => onChange({ ...draft, from, sort: [], offset: 0 })}
          />
          <PredicateInput
            type={type.data}
            label="Where"
            description="Condition; empty for all"
            value={draft.where}
            onChange={(where) => onChange({ ...draft, where })}
            error={shown && <PredicateError where={draft.where} flaw={shown} />}
            mistakeAt={shown === found ? found?.column : undefined}
            isMultiline
          />
          <Button type="submit" loading={isRunning} disabled={draft.from === ''}>
            Run
          </Button>
        </Group>
        <Group gap="xs" align="flex-start">
          <Textarea
            aria-label="Values"
            placeholder="Values for ?, one per line"
            value={draft.values.join('\n')}
            onChange={(event) => onChange({ ...draft, values: toLines(event.currentTarget.value) })}
            styles={monospace}
            spellCheck={false}
            autosize
            minRows={1}
            maxRows={8}
            flex={typeWidth}
          />
          <SortKeys
            keys={draft.sort}
            paths={type.data ? listSortPaths(type.data) : []}
            onChange={(sort) => onChange({ ...draft, sort })}
          />
          <CountInput
            label="Offset"
            value={draft.offset}
            onChange={(offset) => onChange({ ...draft, offset: Number(offset) })}
          />
          <CountInput
            label="Limit"
            value={draft.limit}
            onChange={(limit) => onChange({ ...draft, limit: limit === '' ? defaultLimit : Number(limit) })}
            max={1000}
          />
        </Group>
      </Stack>
    </form>
  );
}

/** A number of assets, with its label before it. */
function CountInput({
  label,
  ...rest
}: { label: string } & Pick<NumberInputProps, 'value' | 'onChange' | 'max'>) {
  return (
    <NumberInput
      aria-label={label}
      leftSection={<Text size="xs">{label}</Text>}
      leftSectionWidth={56}
      min={0}
      allowDecimal={false}
      w={150}
      {...rest}
    />
  );
}

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

const toLines = (text: string) => (text === '' ? [] : text.split('\n'));

/** Reads one value from each line. A line break at the end does not add an empty value. */
const withoutLastBreak = (values: readonly string[]) => (values.at(-1) === '' ? values.slice(0, -1) : values);
