/**
 * The input of a reference: the referenced asset, or a search for one.
 */
import { ActionIcon, Button, CloseButton, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { use, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { AddressedFile } from '../../../../text/file-url.ts';
import { admin, answer } from '../../../api.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { useTypeNames } from '../../../parts/data/lists.ts';
import { assetTitle, pathOfAsset } from '../../../parts/data/load-titles.ts';
import { SmallPicture, Thumbnail } from '../../../parts/files/thumbnail.tsx';
import { GoToIcon } from '../../../parts/layout/icons.ts';
import { inRelease } from '../../../parts/releases/work-release.ts';
import { isDraftObject } from '../draft/draft.ts';
import { CreateContext, type InputProps, useInputFrame } from '../draft/form-context.ts';

/** Edits a reference. The asset stands in the box of the search, so that another one is found by typing over it. */
export function ReferenceInput({ draft, onChange, ...props }: InputProps) {
  const CreateReferenced = use(CreateContext);
  const name = props.itemLabel ?? labelOf(props.field);
  const targets = props.field.type.targets ?? [];
  const { _ref, _type } = { _ref: '', _type: '', ...(isDraftObject(draft) ? draft : {}) };
  const target = useTarget(String(_ref), String(_type), targets.length !== 1);
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 250);
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<string>();
  const { found, groups, message } = useReferenceSearch({
    targets,
    // The asset that stands there is no search.
    text: settled === target?.label ? '' : settled,
    isOpen,
  });
  const nameOf = useTypeNames();
  const { error = target?.problem, ...frame } = useInputFrame(props);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Stack gap={6}>
      <Select
        {...frame}
        error={error}
        ref={input}
        // Mantine takes the name of what is chosen from the options, whether it is offered or not.
        data={
          target && !found.has(target.id) ? [{ value: target.id, label: target.label }, ...groups] : groups
        }
        value={target?.id ?? null}
        onChange={(id) => id !== null && onChange({ _ref: id, _type: found.get(id)?._type })}
        allowDeselect={false}
        searchable
        searchValue={text}
        onSearchChange={setText}
        onFocus={(event) => event.currentTarget.select()}
        onDropdownOpen={() => setIsOpen(true)}
        onDropdownClose={() => setIsOpen(false)}
        // The server has searched already.
        filter={({ options }) => options.filter((option) => 'group' in option)}
        renderOption={({ option }) => (
          <Option
            label={found.get(option.value)?.title ?? option.label}
            picture={found.get(option.value)?.picture}
          />
        )}
        nothingFoundMessage={message}
        placeholder="Search by words or ID"
        maxLength={200}
        {...(target?.picture && { leftSection: <SmallPicture file={target.picture} /> })}
        {...(target && {
          rightSectionWidth: 64,
          rightSectionPointerEvents: 'all' as const,
          rightSection: (
            <TargetActions
              name={name}
              target={target}
              onClear={() => {
                onChange(undefined);
                input.current?.focus();
              }}
            />
          ),
        })}
      />
      {CreateReferenced && !target && (
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

/** The asset that a reference names; undefined without one. */
function useTarget(id: string, type: string, isMixed: boolean) {
  const { data, isLoading } = useQuery({ ...assetTitle(id), enabled: id !== '' });
  const nameOf = useTypeNames();
  if (id === '') return undefined;
  const title = isLoading ? '…' : (data?.title ?? id);
  return {
    id,
    title,
    // Otherwise the type is that of the field.
    label: isMixed ? `${title} · ${nameOf(type)}` : title,
    picture: data?.picture,
    path: data ? pathOfAsset(data) : undefined,
    problem: data === null ? 'The asset does not exist.' : undefined,
  };
}

/** What can be done with the asset beside replacing it. */
function TargetActions({
  name,
  target: { title, path },
  onClear,
}: {
  name: string;
  target: NonNullable<ReturnType<typeof useTarget>>;
  onClear: () => void;
}) {
  return (
    <Group gap={2} wrap="nowrap">
      {path !== undefined && (
        <ActionIcon
          component={Link}
          to={path}
          variant="subtle"
          color="gray"
          aria-label={`Open ${title}`}
          title={`Open ${title}`}
        >
          <GoToIcon size={16} />
        </ActionIcon>
      )}
      <CloseButton size="sm" aria-label={`Clear ${name}`} title={`Clear ${name}`} onClick={onClear} />
    </Group>
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
function useReferenceSearch({
  targets,
  text,
  isOpen,
}: {
  targets: readonly string[];
  text: string;
  isOpen: boolean;
}) {
  const nameOf = useTypeNames();
  const words = text.trim();
  const limitPerType = Math.max(1, Math.min(maxOfType, Math.floor(limit / targets.length)));
  const body = { ...(words !== '' && { text: words }), types: [...targets], limit, limitPerType };
  const { data, error, isFetching } = useQuery({
    queryKey: ['contents', 'query', 'search', body],
    queryFn: ({ signal }) => answer(admin.searchContents({ body, query: inRelease(), signal })),
    placeholderData: keepPreviousData,
    enabled: isOpen,
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
