/**
 * The input of a reference: the referenced asset, or a search for one.
 */
import { Button, Group, Input, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { use, useState } from 'react';
import type { AddressedFile } from '../../../../text/file-url.ts';
import { type Asset, admin, answer, type ContentType, type Query } from '../../../api.ts';
import { ReferenceTitle } from '../../../parts/assets/reference-title.tsx';
import { titleOf } from '../../../parts/data/asset-titles.ts';
import { toShortName, useContentTypes } from '../../../parts/data/content-types.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { fileFieldsOf, pictureOf } from '../../../parts/files/picture-of.ts';
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
          {isMixed && ` · ${toShortName(String(type))}`}
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
  const { groups, types, pictures, isSearching } = useReferenceSearch(targets, settled);
  return (
    <Stack gap={6}>
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
        renderOption={({ option }) => <Option label={option.label} picture={pictures.get(option.value)} />}
        nothingFoundMessage={isSearching ? 'Searching…' : 'Nothing found'}
        placeholder="Search by name or ID"
        autoFocus={hasFocus}
      />
      {CreateReferenced && (
        <Group gap="xs">
          {targets.slice(0, maxNew).map((className) => (
            <Button
              key={className}
              variant="default"
              size="compact-xs"
              aria-label={`New ${toShortName(className)} for ${name}`}
              onClick={() => setCreated(className)}
            >
              New {toShortName(className)}…
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

/** How many assets of each type are offered. */
const maxFound = 10;

/** Assets of the target types whose name contains `text`, or that have it as their ID; without a text the first ones. */
function useReferenceSearch(targets: readonly string[], text: string) {
  const types = useContentTypes(targets);
  const results = useQueries({
    queries: [...types.values()].map((type) => {
      const body = toQuery(type, text.trim());
      return {
        queryKey: ['contents', 'query', body],
        queryFn: () => answer(admin.runQuery({ body, query: inRelease() })),
        placeholderData: keepPreviousData,
      };
    }),
  });
  const found = [...types.values()].map((type, index) => ({
    type,
    assets: results[index]?.data?.items ?? [],
  }));
  return {
    groups: found.map(({ type, assets }) => ({
      group: toShortName(type.class),
      items: assets.map((asset) => ({ value: asset._id, label: titleOf(asset, type) })),
    })),
    /** The class names of the assets found, by their IDs. */
    types: new Map(
      found.flatMap(({ assets }) => assets.map((asset: Asset) => [asset._id, asset._type] as const)),
    ),
    /** The pictures of those that have one, by their IDs. */
    pictures: new Map(
      found.flatMap(({ type, assets }) =>
        assets.map((asset: Asset) => [asset._id, pictureOf(asset, type)] as const),
      ),
    ),
    isSearching: results.length < targets.length || results.some(({ isFetching }) => isFetching),
  };
}

function toQuery(type: ContentType, text: string): Query {
  const field = type.titleField;
  const pictures = fileFieldsOf(type);
  const order =
    field === undefined ? { fields: pictures } : { sort: [{ field }], fields: [field, ...pictures] };
  const query = { from: type.class, limit: maxFound, ...order };
  if (text === '') return query;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) || field === undefined) {
    return { ...query, where: '_id = ?', values: [text] };
  }
  return { ...query, where: `${field} contains[c] ?`, values: [text] };
}
