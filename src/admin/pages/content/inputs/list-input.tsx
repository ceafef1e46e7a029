/**
 * The input of a list: adds, removes and moves items.
 */
import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { type ReactNode, use, useEffect, useRef } from 'react';
import { type DraftItem, isDraftList, toNewDraft } from '../draft/draft.ts';
import { describeHint, FormContext, type InputProps } from '../draft/form-context.ts';
import { GroupFrame } from './group-frame.tsx';

/** Edits a list. `renderItem` renders the input of one item. */
export function ListInput({
  field,
  path,
  draft,
  onChange,
  renderItem,
}: InputProps & { renderItem: (item: InputProps & { itemLabel: string }) => ReactNode }) {
  const { shapes, messageAt } = use(FormContext);
  const items = isDraftList(draft) ? draft : [];
  // Beside the buttons there would be too little room on a small screen.
  const isTall = field.type.kind === 'embedded';
  const { listRef, focusNext } = useFocusAfterChange();
  // An optional list without items is omitted; a required list may be empty.
  const set = (next: readonly DraftItem[]) => onChange(next.length > 0 || field.required ? next : undefined);
  // Lists may stand within lists.
  const toSelector = (key: number) => `[data-item="${path}:${key}"]`;
  const add = () => {
    const key = Math.max(-1, ...items.map((item) => item.key)) + 1;
    set([...items, { key, value: toNewDraft(field, shapes) }]);
    focusNext(`${toSelector(key)} :is(input, textarea, select, button)`);
  };
  const remove = (index: number) => {
    set(items.toSpliced(index, 1));
    focusNext(`[data-add="${path}"]`);
  };
  const move = (index: number, by: -1 | 1) => {
    const item = items[index];
    if (!item) return;
    set(items.toSpliced(index, 1).toSpliced(index + by, 0, item));
    const mover = `${toSelector(item.key)} [data-move`;
    focusNext(`${mover}="${by}"]:enabled`, `${mover}]:enabled`);
  };
  return (
    <GroupFrame name={field.name} hint={describeHint(field)} message={messageAt(path)} ref={listRef}>
      {items.map(({ key, value }, index) => (
        <Group
          key={key}
          data-item={`${path}:${key}`}
          gap="xs"
          wrap={isTall ? 'wrap' : 'nowrap'}
          align="flex-start"
        >
          <Box flex={isTall ? '1 1 100%' : 1} miw={0}>
            {renderItem({
              field: { ...field, list: false, required: true },
              path: `${path}[${index}]`,
              draft: value,
              onChange: (changed) => set(items.with(index, { key, value: changed })),
              itemLabel: `${field.name} ${index + 1}`,
            })}
          </Box>
          <ItemActions
            label={`${field.name} ${index + 1}`}
            isFirst={index === 0}
            isLast={index === items.length - 1}
            onMove={(by) => move(index, by)}
            onRemove={() => remove(index)}
          />
        </Group>
      ))}
      <Button data-add={path} variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={add}>
        Add to {field.name}
      </Button>
    </GroupFrame>
  );
}

function ItemActions({
  label,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: {
  label: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) {
  const actions = [
    { name: `Move ${label} up`, sign: '↑', isOff: isFirst, data: { 'data-move': -1 }, act: () => onMove(-1) },
    { name: `Move ${label} down`, sign: '↓', isOff: isLast, data: { 'data-move': 1 }, act: () => onMove(1) },
    { name: `Remove ${label}`, sign: '×', isOff: false, data: {}, act: onRemove },
  ];
  return (
    <ActionIcon.Group mt={4}>
      {actions.map(({ name, sign, isOff, data, act }) => (
        <ActionIcon key={sign} variant="default" aria-label={name} disabled={isOff} onClick={act} {...data}>
          <span aria-hidden>{sign}</span>
        </ActionIcon>
      ))}
    </ActionIcon.Group>
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
