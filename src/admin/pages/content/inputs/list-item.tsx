/**
 * One item of a list with the buttons that move and remove it.
 */
import { ActionIcon, Box, Group } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import type { Field } from '../../../api.ts';
import type { Draft } from '../draft/draft.ts';
import type { InputProps } from '../draft/form-context.ts';

/** What can be done with the items, by their keys. */
export interface ItemChanges {
  readonly change: (key: number, value: Draft) => void;
  readonly move: (key: number, by: -1 | 1) => void;
  readonly remove: (key: number) => void;
}

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
  // Beside the buttons there would be too little room on a small screen.
  const isTall = field.type.kind === 'embedded';
  const itemLabel = `${label} ${index + 1}`;
  return (
    <Group data-item={`${path}:${itemKey}`} gap="xs" wrap={isTall ? 'wrap' : 'nowrap'} align="flex-start">
      <Box flex={isTall ? '1 1 100%' : 1} miw={0}>
        {renderItem({
          field,
          path: `${path}[${index}]`,
          draft: value,
          onChange: (changed) => changes.change(itemKey, changed),
          itemLabel,
        })}
      </Box>
      <ItemActions
        label={itemLabel}
        isFirst={index === 0}
        isLast={isLast}
        onMove={(by) => changes.move(itemKey, by)}
        onRemove={() => changes.remove(itemKey)}
      />
    </Group>
  );
});

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
