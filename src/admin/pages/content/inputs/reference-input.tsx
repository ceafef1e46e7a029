/**
 * The input of a reference: the referenced asset, or a search for one.
 */
import { Button, Code, Group, Input, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { ReferenceTitle } from '../../../parts/assets/reference-title.tsx';
import { toShortName } from '../../../parts/data/content-types.ts';
import { isDraftObject } from '../draft/draft.ts';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';
import { useReferenceSearch } from './use-reference-search.ts';

/** Edits a reference. */
export function ReferenceInput({ draft, onChange, ...props }: InputProps) {
  // After a change the focus goes on from where it was.
  const [isTouched, setIsTouched] = useState(false);
  const change = (next: InputProps['draft']) => {
    setIsTouched(true);
    onChange(next);
  };
  if (!isDraftObject(draft)) return <Search {...props} hasFocus={isTouched} onChange={change} />;
  return <Target {...props} draft={draft} hasFocus={isTouched} onChange={change} />;
}

function Target({
  draft,
  hasFocus,
  onChange,
  ...props
}: Omit<InputProps, 'draft'> & { draft: object; hasFocus: boolean }) {
  const {
    error,
    label,
    description,
    required = false,
  } = { label: undefined, description: undefined, ...useInputFrame(props) };
  const { _ref: id, _type: type } = { _ref: '', _type: '', ...draft };
  const name = props.itemLabel ?? props.field.name;
  return (
    <Input.Wrapper
      label={label}
      description={description}
      withAsterisk={required}
      error={error}
      labelElement="div"
      role="group"
      aria-label={name}
    >
      <Group gap="xs" mih={36} wrap="nowrap" justify="space-between">
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          <ReferenceTitle id={String(id)} className={String(type)} /> <Code>{toShortName(String(type))}</Code>
        </Text>
        <Button
          variant="default"
          size="xs"
          flex="none"
          autoFocus={hasFocus}
          aria-label={`Clear ${name}`}
          onClick={() => onChange(undefined)}
        >
          Clear
        </Button>
      </Group>
    </Input.Wrapper>
  );
}

function Search({ hasFocus, onChange, ...props }: Omit<InputProps, 'draft'> & { hasFocus: boolean }) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 250);
  const { groups, types, isSearching } = useReferenceSearch(props.field.type.targets ?? [], settled);
  return (
    <Select
      {...useInputFrame(props)}
      data={groups}
      value={null}
      onChange={(id) => id !== null && onChange({ _ref: id, _type: types.get(id) })}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={isSearching ? 'Searching…' : 'Nothing found'}
      placeholder="Search by name or ID"
      autoFocus={hasFocus}
    />
  );
}
