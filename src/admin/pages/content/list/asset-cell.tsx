/**
 * A cell of an asset list.
 */
import { Table, Text } from '@mantine/core';
import { ReferenceTitle } from '../../../parts/assets/reference-title.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import type { Column } from './columns.ts';

/** How many items of a list are shown. */
const maxItems = 3;

/** The cell with the value of a column; references have their titles. */
export function AssetCell({ column, value }: { column: Column; value: unknown }) {
  const items: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const isText = column.field.type.kind !== 'reference' && !isDate(column, value);
  const text = items.map(String).join(', ');
  return (
    <Table.Td maw={280}>
      {isText && (
        <Text size="sm" truncate title={text}>
          {text}
        </Text>
      )}
      {isDate(column, value) && <Moment ms={value} />}
      {column.field.type.kind === 'reference' &&
        items.slice(0, maxItems).map((item, index) => (
          <Text key={index} size="sm" component="div" truncate>
            <ReferenceTitle id={idIn(item)} />
          </Text>
        ))}
      {column.field.type.kind === 'reference' && items.length > maxItems && (
        <Text size="xs">and {items.length - maxItems} more</Text>
      )}
    </Table.Td>
  );
}

const isDate = ({ field }: Column, value: unknown): value is number =>
  field.type.name === 'EpochMillis' && typeof value === 'number';

function idIn(value: unknown): string {
  const { _ref } = { _ref: '', ...Object(value) };
  return String(_ref);
}
