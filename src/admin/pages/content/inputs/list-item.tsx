/**
 * One item of a list with what moves, duplicates and removes it.
 */
import { ActionIcon, Box, Group } from '@mantine/core';
import { type DragEvent, type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import type { Field } from '../../../api.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { DownIcon, DragIcon, DuplicateIcon, RemoveIcon, UpIcon } from '../../../parts/layout/icons.ts';
import type { Draft } from '../draft/draft.ts';
import type { InputProps } from '../draft/form-context.ts';
import classes from './list-item.module.css';

/** What can be done with the items, by their keys. */
export interface ItemChanges {
  readonly change: (key: number, value: Draft) => void;
  readonly move: (key: number, by: -1 | 1) => void;
  readonly remove: (key: number) => void;
  readonly duplicate: (key: number) => void;
  /** Adds an item behind one. */
  readonly addAfter: (key: number) => void;
  /** Begins to drag an item; undefined ends it. */
  readonly drag: (key: number | undefined) => void;
  /** Whether an item of this list is dragged. */
  readonly isDragging: () => boolean;
  /** Moves the dragged item to the place of another one, or behind it. */
  readonly drop: (key: number, place: Place) => void;
}

/** Where a dragged item is dropped, from the item under the pointer. */
export type Place = 'before' | 'after';

/** Renders the input of one item. */
export type RenderItem = (item: InputProps & { itemLabel: string }) => ReactNode;

/** The item. It is rendered again only when its own props change, so that typing in a long list stays fast. */
export const ListItem = memo(function ListItem({
  itemKey,
  index,
  isLast,
  value,
  field,
  path,
  label,
  changes,
  renderItem,
}: {
  itemKey: number;
  index: number;
  isLast: boolean;
  value: Draft;
  /** The field of the item itself. */
  field: Field;
  /** The path of the list. */
  path: string;
  /** The label of the list. */
  label: string;
  changes: ItemChanges;
  renderItem: RenderItem;
}) {
  const { target, ...dropEvents } = useDropTarget(itemKey, changes);
  // It has a heading, where the buttons stand.
  const isTall = field.type.kind === 'embedded';
  const itemLabel = `${label} ${index + 1}`;
  const actions = (
    <ItemActions
      label={itemLabel}
      isFirst={index === 0}
      isLast={isLast}
      // Texts and references are written or found as quickly.
      isDuplicable={isTall}
      itemKey={itemKey}
      changes={changes}
    />
  );
  return (
    <Group
      data-item={`${path}:${itemKey}`}
      data-drop={target}
      className={classes.item}
      gap="xs"
      wrap="nowrap"
      align="flex-start"
      onKeyDown={(event) => {
        if (!isEnterInText(event) || field.type.kind !== 'scalar' || viewOf(field.type) === 'richText')
          return;
        event.preventDefault();
        if (value !== undefined) changes.addAfter(itemKey);
      }}
      {...dropEvents}
    >
      <Box flex={1} miw={0}>
        {renderItem({
          field,
          path: `${path}[${index}]`,
          draft: value,
          onChange: (changed) => changes.change(itemKey, changed),
          itemLabel,
          ...(isTall && { itemActions: actions }),
        })}
      </Box>
      {!isTall && actions}
    </Group>
  );
});

/** Whether Enter was pressed in an input of one line, and not to end the composition of a character. */
const isEnterInText = ({ key, target, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !nativeEvent.isComposing && target instanceof HTMLInputElement;

/** Accepts items of the same list that are dragged over an item. */
function useDropTarget(itemKey: number, { isDragging, drop }: ItemChanges) {
  const [target, setTarget] = useState<Place>();
  const placeOf = ({ currentTarget, clientY }: DragEvent): Place => {
    const { top, height } = currentTarget.getBoundingClientRect();
    return clientY < top + height / 2 ? 'before' : 'after';
  };
  return {
    target,
    onDragOver: (event: DragEvent) => {
      if (!isDragging()) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(placeOf(event));
    },
    onDragLeave: () => setTarget(undefined),
    onDrop: (event: DragEvent) => {
      setTarget(undefined);
      if (!isDragging()) return;
      event.preventDefault();
      event.stopPropagation();
      drop(itemKey, placeOf(event));
    },
  };
}

function ItemActions({
  label,
  isFirst,
  isLast,
  isDuplicable,
  itemKey,
  changes,
}: {
  label: string;
  isFirst: boolean;
  isLast: boolean;
  isDuplicable: boolean;
  itemKey: number;
  changes: ItemChanges;
}) {
  const { move, duplicate, remove, drag } = changes;
  const up = () => move(itemKey, -1);
  const down = () => move(itemKey, 1);
  const actions = [
    { name: `Move ${label} up`, Icon: UpIcon, isOff: isFirst, data: { 'data-move': -1 }, act: up },
    { name: `Move ${label} down`, Icon: DownIcon, isOff: isLast, data: { 'data-move': 1 }, act: down },
    ...(isDuplicable
      ? [
          {
            name: `Duplicate ${label}`,
            Icon: DuplicateIcon,
            isOff: false,
            data: {},
            act: () => duplicate(itemKey),
          },
        ]
      : []),
    { name: `Remove ${label}`, Icon: RemoveIcon, isOff: false, data: {}, act: () => remove(itemKey) },
  ];
  return (
    <ActionIcon.Group mt={isDuplicable ? 0 : 4}>
      {/* For the mouse; the keyboard has the buttons beside it. */}
      <ActionIcon
        component="div"
        variant="default"
        className={classes.handle}
        visibleFrom="sm"
        aria-hidden
        title={`Drag ${label}`}
        draggable
        onDragStart={(event) => {
          const item = event.currentTarget.closest('[data-item]');
          if (item) event.dataTransfer.setDragImage(item, 0, 0);
          event.dataTransfer.effectAllowed = 'move';
          // Firefox drags only what has data. No input accepts this kind.
          event.dataTransfer.setData('application/x-colophon-item', '');
          drag(itemKey);
        }}
        onDragEnd={() => drag(undefined)}
      >
        <DragIcon size={16} />
      </ActionIcon>
      {actions.map(({ name, Icon, isOff, data, act }) => (
        <ActionIcon
          key={name}
          variant="default"
          className={classes.action}
          aria-label={name}
          title={name}
          disabled={isOff}
          onClick={act}
          {...data}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </ActionIcon.Group>
  );
}
