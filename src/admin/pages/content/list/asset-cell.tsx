/**
 * The value of a column, as people read it, in one line.
 */
import { Code, Group, Text } from '@mantine/core';
import type { FieldType } from '../../../api.ts';
import { ReferenceTitle } from '../../../parts/assets/reference-title.tsx';
import { wordsOf } from '../../../parts/data/field-label.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import type { Column } from './columns.ts';

/** How many items of a list are shown. */
const maxItems = 2;

/** The value; nothing for an absent one. */
export function AssetValue({ column: { field }, value }: { column: Column; value: unknown }) {
  const items: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const { type } = field;
  const view = viewOf(type);
  if (type.kind === 'reference' || type.kind === 'enum') {
    const more = items.length - maxItems;
    return (
      <Group
        component="span"
        gap={6}
        wrap="nowrap"
        maw={280}
        style={{ overflow: 'hidden', whiteSpace: 'nowrap' }}
      >
        {items.slice(0, maxItems).map((item, index) =>
          type.kind === 'enum' ? (
            <EnumValue key={index} type={type} value={String(item)} />
          ) : (
            <Text key={index} size="sm" component="div" truncate>
              <ReferenceTitle id={idIn(item)} isInText={false} />
            </Text>
          ),
        )}
        {more > 0 && <Text size="xs">and {more} more</Text>}
      </Group>
    );
  }
  if (view === 'date' && typeof value === 'number') return <Ago ms={value} />;
  if (field.name === '_id') return <Code style={{ whiteSpace: 'nowrap' }}>{String(value)}</Code>;
  const text = items
    .map((item) => (view === 'yesOrNo' ? (item === true ? 'Yes' : 'No') : String(item)))
    .join(', ');
  return (
    <Text span display="block" size="sm" maw={280} truncate title={text} dir="auto">
      {text}
    </Text>
  );
}

/** A badge if values have colours, otherwise the words alone. */
function EnumValue({ type, value }: { type: FieldType; value: string }) {
  const words = wordsOf(type, value);
  const color = type.labels?.[value]?.color;
  return color === undefined ? <Text size="sm">{words}</Text> : <Mark color={color}>{words}</Mark>;
}

function idIn(value: unknown): string {
  const { _ref } = { _ref: '', ...Object(value) };
  return String(_ref);
}
