/**
 * The search over everything: what was open last, commands, assets, content types, endpoints and other resources, pages, and those of the guide. The arrow
 * keys choose, Enter opens.
 */
import { Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { admin, answer } from '../api.ts';
import { toHref } from '../base-path.ts';
import { usePlaces } from '../navigation.tsx';
import { Confirm } from '../parts/confirm/confirm.tsx';
import { Dialog } from '../parts/confirm/dialog.tsx';
import { nameOfType } from '../parts/data/field-label.ts';
import { typeNames, useTypeNames } from '../parts/data/lists.ts';
import { pathOfAsset, pathOfType } from '../parts/data/load-titles.ts';
import { countOf } from '../parts/data/number-words.ts';
import { SmallPicture } from '../parts/files/thumbnail.tsx';
import { SearchIcon } from '../parts/layout/icons.ts';
import { ProblemAlert } from '../parts/problems/problem-alert.tsx';
import { inRelease } from '../parts/releases/work-release.ts';
import { type FoundGroup, guidePath, matcherOf, signOutPath, useFoundResources } from './find-resources.ts';

/** How many assets are listed, and how many of one type, so that one does not keep out the others. */
const limits = { limit: 60, limitPerType: 4 };

/** The dialog. When it closes, the focus goes back to where it was, or to the page that is opened. */
export function FindDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <>
      <Dialog opened={isOpen} onClose={onClose} title="Search everything" size="lg">
        <Find
          onClose={onClose}
          onSignOut={() => {
            onClose();
            setIsLeaving(true);
          }}
        />
      </Dialog>
      <Confirm
        title="Sign out"
        consequence="The browser forgets the texts that are not saved."
        action="Sign out"
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        onConfirm={async () => {
          setIsLeaving(false);
          await navigate('/admin/sign-in', { state: { signOut: true } });
        }}
      />
    </>
  );
}

/** What is listed above the assets. */
const isFirst = ({ name }: FoundGroup) => name === 'Recent' || name === 'Commands';

function Find({ onClose, onSignOut }: { onClose: () => void; onSignOut: () => void }) {
  const navigate = useNavigate();
  const nameOf = useTypeNames();
  const combobox = useCombobox({ opened: true });
  const listId = useId();
  /** The ID of the chosen option, which Mantine tells screen readers only after an arrow key. */
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (id: string | null) => {
    setChosen(id);
    return id;
  };
  const store = {
    ...combobox,
    selectNextOption: () => choose(combobox.selectNextOption()),
    selectPreviousOption: () => choose(combobox.selectPreviousOption()),
  };
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 200);
  const types = (useQuery(typeNames).data?.items ?? []).toSorted((one, other) =>
    nameOfType(one).localeCompare(nameOfType(other)),
  );
  const assets = useQuery({
    queryKey: ['contents', 'query', 'search', settled],
    queryFn: ({ signal }) =>
      answer(admin.searchContents({ body: { text: settled, ...limits }, query: inRelease(), signal })),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const isMatch = matcherOf(text);
  const groups = useFoundResources(text);
  // What was open lately stands above, once.
  const recent = groups.find(({ name }) => name === 'Recent')?.items ?? [];
  const isOther = (path: string) => text.trim() === '' || !recent.some((each) => each.path === path);
  const pages = usePlaces()
    .flatMap(({ places }) => places)
    .filter(({ to, label }) => isMatch(label) && isOther(to));
  const foundTypes = types.filter(
    (type) => (isMatch(nameOfType(type)) || isMatch(type.class)) && isOther(pathOfType(type.class)),
  );
  const showGroup = ({ name, items }: FoundGroup) => (
    <Combobox.Group key={name} label={name}>
      {items.map(({ label, note, path }, index) => (
        <Combobox.Option key={index} value={path}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <Text size="sm" truncate dir="auto">
              {label}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {note}
            </Text>
          </Group>
        </Combobox.Option>
      ))}
    </Combobox.Group>
  );
  const found = (settled === '' ? [] : (assets.data?.items ?? [])).filter((asset) =>
    isOther(pathOfAsset(asset)),
  );
  const count =
    pages.length +
    foundTypes.length +
    found.length +
    groups.reduce((sum, { items }) => sum + items.length, 0);
  const isSearching = settled !== text.trim() || assets.isFetching;
  // Enter opens the first result, unless another one is chosen.
  useEffect(() => {
    setChosen(combobox.selectFirstOption());
  }, [text, count]);
  return (
    <Combobox
      store={store}
      onOptionSubmit={(path) => {
        if (path === signOutPath) return onSignOut();
        if (path.startsWith(guidePath)) return window.location.assign(toHref(path));
        onClose();
        void navigate(path);
      }}
    >
      <Combobox.EventsTarget withAriaAttributes={false}>
        <TextInput
          type="search"
          role="combobox"
          aria-expanded
          aria-haspopup="listbox"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={chosen ?? undefined}
          aria-label="Words, or an ID"
          placeholder="Words of a title or a text, a content type or a page"
          leftSection={<SearchIcon size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={200}
          autoComplete="off"
          data-autofocus
        />
      </Combobox.EventsTarget>
      <Text size="xs" c="dimmed" role="status" mt="xs" mih={18}>
        {isSearching ? 'Searching…' : describe(count, (assets.data?.unsearched ?? []).map(nameOf))}
      </Text>
      <ProblemAlert error={assets.error} title="Could not search" onRetry={assets.refetch} />
      <Combobox.Options id={listId} aria-label="Results">
        {groups.filter(isFirst).map(showGroup)}
        {found.length > 0 && (
          <Combobox.Group label="Assets">
            {found.map((asset) => (
              <Combobox.Option key={asset._id} value={pathOfAsset(asset)}>
                <Group gap="xs" wrap="nowrap" justify="space-between">
                  <Text size="sm" truncate dir="auto">
                    {asset.picture && <SmallPicture file={asset.picture} />}
                    {asset.title}
                  </Text>
                  <Text size="xs" flex="none">
                    {nameOf(asset._type)}
                  </Text>
                </Group>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )}
        {foundTypes.length > 0 && (
          <Combobox.Group label="Content types">
            {foundTypes.map((type) => (
              <Combobox.Option key={type.class} value={pathOfType(type.class)}>
                {nameOfType(type)}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )}
        {groups.filter((group) => !isFirst(group)).map(showGroup)}
        {pages.length > 0 && (
          <Combobox.Group label="Pages">
            {pages.map(({ to, label, icon: Icon }) => (
              <Combobox.Option key={to} value={to}>
                <Group gap="xs" wrap="nowrap">
                  {Icon && <Icon size={16} />}
                  {label}
                </Group>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )}
      </Combobox.Options>
      <Text size="xs" c="dimmed" mt="xs" visibleFrom="sm">
        ↑ ↓ choose, Enter opens, Esc closes
      </Text>
    </Combobox>
  );
}

function describe(count: number, unsearched: readonly string[]): string {
  const names = unsearched.join(', ');
  const rest = names && ` There was not enough time to search all of ${names}.`;
  return (count === 0 ? 'Nothing found.' : `${countOf(count, 'result')}.`) + rest;
}
