/**
 * Chooses the type that a query reads. Predicates, the API and code name a type by its class, so each choice shows it, and the class
 * of the chosen type is copied by a click.
 */
import { Box, CopyButton, Select, type SelectProps, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { typeList } from '../../parts/data/lists.ts';
import { findTypeChoices, toTypeChoices } from '../../parts/data/type-names.ts';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';

/** Chooses a content type or an interface by its name or class. */
export function TypeSelect({ value, onChange }: { value: string; onChange: (className: string) => void }) {
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
export const typeWidth = { base: '1 1 100%', sm: '0 0 280px' };

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
