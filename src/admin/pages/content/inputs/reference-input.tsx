/**
 * The input of a reference: the referenced asset, or a search for one.
 */
import { Button, Group, Input, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import type { AddressedFile } from '../../../../text/file-url.ts';
import { admin, answer } from '../../../api.ts';
import { ReferenceTitle } from '../../../parts/assets/reference-title.tsx';
import { labelOf } from '../../../parts/data/field-label.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';
import { Thumbnail } from '../../../parts/files/thumbnail.tsx';
import { inRelease } from '../../../parts/releases/work-release.ts';
import { CreateContext } from '../draft/create-context.ts';
import { isDraftObject } from '../draft/draft.ts';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';

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
  const { error, label, description, required } = {
    label: undefined,
    required: false,
    ...useInputFrame(props),
  };
  const { _ref: id, _type: type } = { _ref: '', _type: '', ...draft };
  const name = props.itemLabel ?? labelOf(props.field);
  // Otherwise the type is that of the field.
  const nameOf = useTypeNames();
  const isMixed = props.field.type.targets?.length !== 1;
  return (
    <Input.Wrapper
      label={label}
      description={description}
      withAsterisk={required}
      error={error}
      labelElement="div"
      role="group"
      aria-label={name}
      data-path={props.path}
    >
      <Group gap="xs" mih={36} wrap="nowrap" justify="space-between">
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          <ReferenceTitle id={String(id)} isInText={isMixed} />
          {isMixed && ` · ${nameOf(String(type))}`}
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
  const CreateReferenced = use(CreateContext);
  const name = props.itemLabel ?? labelOf(props.field);
  const targets = props.field.type.targets ?? [];
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 250);
  const [created, setCreated] = useState<string>();
  const { found, groups, message } = useReferenceSearch(targets, settled);
  const nameOf = useTypeNames();
  return (
    <Stack gap={6}>
      <Select
        {...useInputFrame(props)}
        data={groups}
        value={null}
        onChange={(id) => id !== null && onChange({ _ref: id, _type: found.get(id)?._type })}
        searchable
        searchValue={text}
        onSearchChange={setText}
        // The server has searched already.
        filter={({ options }) => options}
        renderOption={({ option }) => (
          <Option label={option.label} picture={found.get(option.value)?.picture} />
        )}
        nothingFoundMessage={message}
        placeholder="Search by words or ID"
        maxLength={200}
        autoFocus={hasFocus}
      />
      {CreateReferenced && (
        <Group gap="xs">
          {targets.slice(0, maxNew).map((className) => (
            <Button
              key={className}
              variant="default"
              size="compact-xs"
              aria-label={`New ${nameOf(className)} for ${name}`}
              onClick={() => setCreated(className)}
            >
              New {nameOf(className)}…
            </Button>
          ))}
        </Group>
      )}
      {CreateReferenced && created !== undefined && (
        <CreateReferenced
          className={created}
          onCreated={(reference) => {
            setCreated(undefined);
            onChange(reference);
          }}
          onClose={() => setCreated(undefined)}
        />
      )}
    </Stack>
  );
}

function Option({ label, picture }: { label: string; picture: AddressedFile | undefined }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {picture && <Thumbnail file={picture} size={28} />}
      <Text size="sm">{label}</Text>
    </Group>
  );
}

/** For how many types there is a button. */
const maxNew = 4;

/** How many assets are offered, and how many of them may be of one type. */
const limit = 100;
const maxOfType = 10;

/** Assets of the target types that words or an ID find; without a text the first ones. One request asks for all types. */
function useReferenceSearch(targets: readonly string[], text: string) {
  const nameOf = useTypeNames();
  const words = text.trim();
  const limitPerType = Math.max(1, Math.min(maxOfType, Math.floor(limit / targets.length)));
  const body = { ...(words !== '' && { text: words }), types: [...targets], limit, limitPerType };
  const { data, error, isFetching } = useQuery({
    queryKey: ['contents', 'query', 'search', body],
    queryFn: ({ signal }) => answer(admin.searchContents({ body, query: inRelease(), signal })),
    placeholderData: keepPreviousData,
  });
  const found = new Map((data?.items ?? []).map((asset) => [asset._id, asset]));
  const groups = [...Map.groupBy(found.values(), ({ _type }) => _type)].map(([className, assets]) => ({
    group: nameOf(className),
    items: assets.map(({ _id, title }) => ({ value: _id, label: title })),
  }));
  return {
    found,
    groups,
    message: isFetching ? 'Searching…' : describe(error, data?.unsearched.map(nameOf)),
  };
}

function describe(error: Error | null, unsearched: readonly string[] = []): string {
  if (error) return `Could not search: ${error.message}`;
  if (unsearched.length === 0) return 'Nothing found';
  return `Nothing found. There was not enough time to search all of ${unsearched.join(', ')}.`;
}
