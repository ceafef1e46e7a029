/**
 * The form of the query.
 */
import {
  Box,
  Button,
  CloseButton,
  CopyButton,
  Group,
  NativeSelect,
  NumberInput,
  type NumberInputProps,
  Select,
  type SelectProps,
  Stack,
  Text,
  Textarea,
  UnstyledButton,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, SyntheticEvent } from 'react';
import { defaultLimit } from '../../../text/page-limits.ts';
import type { SortKey } from '../../api.ts';
import type { AssetQuery } from '../../parts/data/asset-query.ts';
import { listSortPaths } from '../../parts/data/describe-field.ts';
import { contentType, findTypeChoices, toTypeChoices, typeList } from '../../parts/data/lists.ts';
import { PredicateInput } from '../../parts/predicates/predicate-input.tsx';
import { usePredicateCheck } from '../../parts/predicates/use-predicate-check.ts';
import { PredicateError, type PredicateFlaw } from '../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';

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

/** As many keys as the API takes. */
const maxKeys = 8;

/** Rows of a field and a direction; `paths` are the fields there are to choose from. */
function SortKeys({
  keys,
  paths,
  onChange,
}: {
  keys: readonly SortKey[];
  paths: readonly string[];
  onChange: (keys: SortKey[]) => void;
}) {
  const free = paths.filter((path) => keys.every(({ field }) => field !== path));
  const next = free[0];
  return (
    <Group gap="xs" role="group" aria-label="Sort">
      {keys.map((key, index) => (
        <SortRow
          key={key.field}
          sortKey={key}
          paths={[key.field, ...free]}
          label={`${index + 1}`}
          onChange={(changed) => onChange(keys.with(index, changed))}
          onRemove={() => onChange(keys.toSpliced(index, 1))}
        />
      ))}
      <Button
        variant="default"
        disabled={next === undefined || keys.length >= maxKeys}
        onClick={() => next !== undefined && onChange([...keys, { field: next, descending: false }])}
      >
        {keys.length === 0 ? 'Sort by a field' : 'Then by another'}
      </Button>
    </Group>
  );
}

function SortRow({
  sortKey: { field, descending = false },
  paths,
  label,
  onChange,
  onRemove,
}: {
  sortKey: SortKey;
  paths: readonly string[];
  label: string;
  onChange: (key: SortKey) => void;
  onRemove: () => void;
}) {
  return (
    <Group gap={4} wrap="nowrap">
      <Select
        aria-label={`Sort field ${label}`}
        data={paths}
        value={field}
        onChange={(chosen) => chosen !== null && onChange({ field: chosen, descending })}
        searchable
        allowDeselect={false}
        w={180}
      />
      <NativeSelect
        aria-label={`Direction ${label}`}
        w={130}
        data={['ascending', 'descending']}
        value={descending ? 'descending' : 'ascending'}
        onChange={(event) => onChange({ field, descending: event.currentTarget.value === 'descending' })}
      />
      <CloseButton aria-label={`Remove sort field ${label}`} onClick={onRemove} />
    </Group>
  );
}

/** Chooses a content type or an interface by its name or class. */
function TypeSelect({ value, onChange }: { value: string; onChange: (className: string) => void }) {
  const { data, error, refetch } = useQuery(typeList);
  const types = data?.items ?? [];
  const choices = toTypeChoices(types);
  const choicesOf = (kind: string) => choices.filter((_, index) => types[index]?.kind === kind);
  if (error)
    return <ProblemAlert error={error} title="The content types could not be loaded" onRetry={refetch} />;
  return (
    <Box flex={typeWidth} miw={0}>
      <Select
        aria-label="Type"
        placeholder="Content type or interface"
        data={[
          { group: 'Content types', items: choicesOf('object') },
          { group: 'Interfaces', items: choicesOf('interface') },
        ]}
        value={value === '' ? null : value}
        onChange={(className) => className !== null && onChange(className)}
        renderOption={showClass}
        searchable
        filter={findTypeChoices}
        allowDeselect={false}
        nothingFoundMessage="No type matches"
      />
      {value !== '' && <ClassName value={value} />}
    </Box>
  );
}

/** The widths of what stands first in each line of the bar. */
const typeWidth = { base: '1 1 100%', sm: '0 0 280px' };

const showClass: NonNullable<SelectProps['renderOption']> = ({ option: { label, value } }) => (
  <div>
    {label}
    <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      {value}
    </Text>
  </div>
);

/** The class of the chosen type. A click copies it. */
function ClassName({ value }: { value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton
          onClick={copy}
          title="Copy the class name"
          fz="xs"
          c="dimmed"
          ff="monospace"
          style={{ overflowWrap: 'anywhere' }}
        >
          {value}
          <span aria-live="polite">{copied && ' (copied)'}</span>
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
