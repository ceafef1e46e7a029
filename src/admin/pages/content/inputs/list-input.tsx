/**
 * The input of a list: adds, removes and moves items. A long list is shown page by page.
 */
import { Button, VisuallyHidden } from '@mantine/core';
import { type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { wordsOfName } from '../../../../text/words-of-name.ts';
import type { Field } from '../../../api.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { isFileField, kindsOf, viewOf } from '../../../parts/data/scalar-views.ts';
import { firstInput } from '../../../parts/forms/field-link.tsx';
import { Paging } from '../../../parts/layout/paging.tsx';
import {
  type Draft,
  type DraftItem,
  isDraftList,
  isDraftObject,
  isUploading,
  toNewDraft,
} from '../draft/draft.ts';
import { describeHint, drawLabel, FormContext, type InputProps, toSentence } from '../draft/form-context.ts';
import { useRemoval } from '../draft/use-removal.tsx';
import { KindButtons } from './block-input.tsx';
import { GroupFrame } from './field-grid.tsx';
import { LimitCount } from './help.tsx';
import { type ItemChanges, ListItem, type RenderItem } from './list-item.tsx';

/** Edits a list. `renderItem` renders the input of one item; it must stay the same function. */
export function ListInput({
  field,
  path,
  draft,
  onChange,
  renderItem,
  children,
}: InputProps & {
  renderItem: RenderItem;
  /** Another way to add items, in place of the button. */
  children?: ReactNode;
}) {
  const { shapes, messageAt } = use(FormContext);
  const items = isDraftList(draft) ? draft : [];
  const label = labelOf(field);
  const { maxItems } = field.constraint;
  const { listRef, focusNext } = useFocusAfterChange();
  const { offset, limit, show } = useVisibleItems({ field, path, count: items.length });
  const itemField = useMemo(() => ({ ...field, list: false, required: true }), [field]);
  // An optional list without items is omitted; a required list may be empty.
  const set = (next: readonly DraftItem[]) => onChange(next.length > 0 || field.required ? next : undefined);
  const dragged = useRef<number>(undefined);
  const [news, setNews] = useState('');
  // Lists may stand within lists.
  const toSelector = (key: number) => `[data-item="${path}:${key}"]`;
  const kinds = kindsOf(field, shapes);
  const freeKey = () => Math.max(-1, ...items.map((item) => item.key)) + 1;
  const indexOf = (key: number) => items.findIndex((item) => item.key === key);
  const insert = (index: number, value: Draft) => {
    const key = freeKey();
    set(items.toSpliced(index, 0, { key, value }));
    show(index);
    // Rich text has buttons before it.
    focusNext(`${toSelector(key)} [contenteditable]`, `${toSelector(key)} ${firstInput}`);
  };
  const add = (kind?: string) => insert(items.length, toNewDraft(field, shapes, kind));
  const moveTo = (from: number, to: number) => {
    const item = items[from];
    if (!item || from === to) return;
    set(items.toSpliced(from, 1).toSpliced(to, 0, item));
    show(to);
    setNews(`${label} ${from + 1} is now ${to + 1} of ${items.length}.`);
  };
  const { askToRemove, question } = useRemoval<number>(path, (key) => {
    setNews(`${label} ${indexOf(key) + 1} is removed.`);
    set(items.filter((item) => item.key !== key));
    focusNext(`[data-add="${path}"]`);
  });
  const changes = useSameFunctions({
    change: (key, value) => set(items.map((item) => (item.key === key ? { key, value } : item))),
    remove: (key) => {
      const value = items[indexOf(key)]?.value;
      const kind = kinds && isDraftObject(value) ? String(value._type) : undefined;
      askToRemove({
        key,
        name: `${label} ${indexOf(key) + 1}${kind === undefined ? '' : `: ${wordsOfName(kind)}`}`,
        value: typedIn(field, value),
        fresh: toNewDraft(field, shapes, kind),
      });
    },
    duplicate: (key) => {
      const index = indexOf(key);
      const value = items[index]?.value;
      // The upload is that of one item.
      if (isUploading(value)) return;
      insert(index + 1, value);
      setNews(`${label} ${index + 2} is a copy of ${label} ${index + 1}.`);
    },
    addAfter: (key) => insert(indexOf(key) + 1, toNewDraft(field, shapes)),
    move: (key, by) => {
      const index = indexOf(key);
      moveTo(index, index + by);
      const mover = `${toSelector(key)} [data-move`;
      focusNext(`${mover}="${by}"]:enabled`, `${mover}]:enabled`);
    },
    drag: (key) => {
      dragged.current = key;
    },
    isDragging: () => dragged.current !== undefined,
    drop: (key, place) => {
      const from = indexOf(dragged.current ?? -1);
      const gap = indexOf(key) + (place === 'after' ? 1 : 0);
      if (from !== -1) moveTo(from, gap > from ? gap - 1 : gap);
    },
  });
  return (
    <GroupFrame
      name={drawLabel(field)}
      path={path}
      hint={describeHint(field)}
      message={toSentence(label, messageAt(path))}
      count={maxItems !== undefined && <LimitCount count={items.length} limit={maxItems} unit="items" />}
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
      {question}
      <VisuallyHidden role="status">{news}</VisuallyHidden>
      {items.length > limit && (
        <Paging
          offset={offset}
          limit={limit}
          count={items.length}
          onMove={show}
          label={`Pages of ${label}`}
        />
      )}
      {children ??
        (kinds ? (
          <KindButtons label={label} kinds={kinds} onChoose={add} path={path} />
        ) : (
          <Button
            data-add={path}
            variant="default"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => add()}
          >
            Add to {label}
          </Button>
        ))}
    </GroupFrame>
  );
}

/** What of an item the user has typed: nothing of a choice, and of a file the alternative text. */
function typedIn(field: Field, value: Draft): Draft {
  if (field.type.kind === 'enum') return undefined;
  return isFileField(field) && isDraftObject(value) ? value.alt : value;
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
      duplicate: (key) => latest.current.duplicate(key),
      addAfter: (key) => latest.current.addAfter(key),
      drag: (key) => latest.current.drag(key),
      isDragging: () => latest.current.isDragging(),
      drop: (key, place) => latest.current.drop(key, place),
    }),
    [],
  );
}

/** Moves the focus, once a change is drawn, to the first element within the list that fits the first selector that fits any. */
function useFocusAfterChange() {
  const listRef = useRef<HTMLDivElement>(null);
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

/** The items on a page; an embedded value has several inputs, and a rich text many buttons. */
const pageSize = { large: 10, other: 50 };

/** The page that is shown of `count` items, and how to go to the page of an item. */
function useVisibleItems({ field, path, count }: { field: Field; path: string; count: number }) {
  const { target } = use(FormContext);
  const isLarge = field.type.kind === 'embedded' || viewOf(field.type) === 'richText';
  const size = isLarge ? pageSize.large : pageSize.other;
  const [wanted, setWanted] = useState(0);
  const [reached, setReached] = useState(target);
  const show = (index: number) => setWanted(Math.floor(index / size) * size);
  if (target !== reached) {
    setReached(target);
    const inner = target?.path.startsWith(`${path}[`) ? target.path.slice(path.length) : '';
    const [, index] = /^\[(\d+)\]/.exec(inner) ?? [];
    if (index !== undefined) show(Number(index));
  }
  // Items may have been removed.
  const last = Math.max(0, Math.ceil(count / size) - 1) * size;
  return { offset: Math.min(wanted, last), limit: size, show };
}
