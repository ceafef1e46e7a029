/**
 * The order of a query, key by key.
 */
import { Button, CloseButton, Group, NativeSelect, Select } from '@mantine/core';
import type { SortKey } from '../../api.ts';

/** As many keys as the API takes. */
const maxKeys = 8;

/** Rows of a field and a direction; `paths` are the fields there are to choose from. */
export function SortKeys({
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
