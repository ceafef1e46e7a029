/**
 * The input of a list: adds, removes and moves items. A long list is shown page by page.
 */
import { Button } from '@mantine/core';
import { use, useEffect, useMemo, useRef } from 'react';
import { labelOf } from '../../../parts/data/field-label.ts';
import { Paging } from '../../../parts/layout/paging.tsx';
import { type DraftItem, isDraftList, toNewDraft } from '../draft/draft.ts';
import { describeHint, drawLabel, FormContext, type InputProps } from '../draft/form-context.ts';
import { GroupFrame } from './group-frame.tsx';
import { type ItemChanges, ListItem, type RenderItem } from './list-item.tsx';
import { useVisibleItems } from './use-visible-items.ts';

/** Edits a list. `renderItem` renders the input of one item; it must stay the same function. */
export function ListInput({
  field,
  path,
  draft,
  onChange,
  renderItem,
}: InputProps & { renderItem: RenderItem }) {
  const { shapes, messageAt } = use(FormContext);
  const items = isDraftList(draft) ? draft : [];
  const label = labelOf(field);
  const { listRef, focusNext } = useFocusAfterChange();
  const { offset, limit, show } = useVisibleItems({ field, path, count: items.length });
  const itemField = useMemo(() => ({ ...field, list: false, required: true }), [field]);
  // An optional list without items is omitted; a required list may be empty.
  const set = (next: readonly DraftItem[]) => onChange(next.length > 0 || field.required ? next : undefined);
  // Lists may stand within lists.
  const toSelector = (key: number) => `[data-item="${path}:${key}"]`;
  const add = () => {
    const key = Math.max(-1, ...items.map((item) => item.key)) + 1;
    set([...items, { key, value: toNewDraft(field, shapes) }]);
    show(items.length);
    // Rich text has buttons before it.
    focusNext(
      `${toSelector(key)} [contenteditable]`,
      `${toSelector(key)} :is(input, textarea, select, button)`,
    );
  };
  const changes = useSameFunctions({
    change: (key, value) => set(items.map((item) => (item.key === key ? { key, value } : item))),
    remove: (key) => {
      set(items.filter((item) => item.key !== key));
      focusNext(`[data-add="${path}"]`);
    },
    move: (key, by) => {
      const index = items.findIndex((item) => item.key === key);
      const item = items[index];
      if (!item) return;
      set(items.toSpliced(index, 1).toSpliced(index + by, 0, item));
      show(index + by);
      const mover = `${toSelector(key)} [data-move`;
      focusNext(`${mover}="${by}"]:enabled`, `${mover}]:enabled`);
    },
  });
  return (
    <GroupFrame
      name={drawLabel(field)}
      path={path}
      hint={describeHint(field)}
      message={messageAt(path)}
      ref={listRef}
    >
      {items.slice(offset, offset + limit).map(({ key, value }, index) => (
        <ListItem
          key={key}
          itemKey={key}
          index={offset + index}
          isLast={offset + index === items.length - 1}
          value={value}
          field={itemField}
          path={path}
          label={label}
          changes={changes}
          renderItem={renderItem}
        />
      ))}
      {items.length > limit && (
        <Paging
          offset={offset}
          limit={limit}
          count={items.length}
          onMove={show}
          label={`Pages of ${label}`}
        />
      )}
      <Button data-add={path} variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={add}>
        Add to {label}
      </Button>
    </GroupFrame>
  );
}

/** Functions that stay the same, and call those of the last render. */
function useSameFunctions(changes: ItemChanges): ItemChanges {
  const latest = useRef(changes);
  useEffect(() => {
    latest.current = changes;
  });
  return useMemo<ItemChanges>(
    () => ({
      change: (key, value) => latest.current.change(key, value),
      move: (key, by) => latest.current.move(key, by),
      remove: (key) => latest.current.remove(key),
    }),
    [],
  );
}

/** Moves the focus, once a change is drawn, to the first element within the list that fits the first selector that fits any. */
function useFocusAfterChange() {
  const listRef = useRef<HTMLFieldSetElement>(null);
  const wanted = useRef<readonly string[]>([]);
  useEffect(() => {
    const found = wanted.current.map((selector) => listRef.current?.querySelector<HTMLElement>(selector));
    found.find((element) => element)?.focus();
    wanted.current = [];
  });
  return {
    listRef,
    focusNext: (...selectors: string[]) => {
      wanted.current = selectors;
    },
  };
}
