/**
 * Shows how a value changed: words within texts, items of lists, members of embedded values, and old and new value of all else.
 */
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Field } from '../../api.ts';
import { RichTextFrame } from '../assets/rich-text-frame.tsx';
import type { TextPart } from './compare-text.ts';
import {
  type Difference,
  type FieldDifference,
  type ItemDifference,
  labelOfDifference,
} from './compare-values.ts';
import { LineDifference, TextDifference } from './line-difference.tsx';
import { MarkedValue } from './marked-change.tsx';
import { ValueView } from './value-view.tsx';

/** The change of the value of `field`, which `name` calls for screen readers. */
export function DifferenceView({
  name,
  field,
  difference,
}: {
  name: string;
  field: Field | undefined;
  difference: Difference;
}) {
  switch (difference.kind) {
    case 'added':
      return <OldAndNew field={field} after={difference.after} />;
    case 'removed':
      return <OldAndNew field={field} before={difference.before} />;
    case 'replaced':
      return <OldAndNew field={field} before={difference.before} after={difference.after} />;
    case 'text':
      return <TextDifference parts={difference.parts} />;
    case 'richText':
      return <RichTextDifference name={name} {...difference} />;
    case 'json':
      return (
        <LineDifference
          label={`Difference of ${name}`}
          before={toLines(difference.before)}
          after={toLines(difference.after)}
        />
      );
    case 'members':
      return <Members members={difference.members} />;
    case 'items':
      return <Items name={name} field={field} items={difference.items} />;
  }
}

const toLines = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function OldAndNew({
  field,
  before,
  after,
}: {
  field: Field | undefined;
  before?: unknown;
  after?: unknown;
}) {
  return (
    <Stack gap={4}>
      {before !== undefined && (
        <MarkedValue kind="removed">
          <ValueView field={field} value={before} />
        </MarkedValue>
      )}
      {after !== undefined && (
        <MarkedValue kind="added">
          <ValueView field={field} value={after} />
        </MarkedValue>
      )}
    </Stack>
  );
}

/** The text as readers see it, with its changes; its HTML on request, and where the difference is in the markup alone. */
function RichTextDifference({
  name,
  html,
  parts,
}: {
  name: string;
  html: string | undefined;
  parts: readonly TextPart[];
}) {
  const [isSource, { toggle }] = useDisclosure(false);
  if (html === undefined)
    return (
      <>
        <Text size="sm" c="dimmed">
          The texts differ in their formatting, or nearly everywhere. This is their HTML:
        </Text>
        <TextDifference parts={parts} />
      </>
    );
  return (
    <Stack gap="xs" align="flex-start">
      <RichTextFrame title={`Changes of ${name}`} html={html} />
      <Button variant="default" size="compact-xs" aria-expanded={isSource} onClick={toggle}>
        {isSource ? 'Hide' : 'Show'} the HTML
      </Button>
      {isSource && <TextDifference parts={parts} />}
    </Stack>
  );
}

function Members({ members }: { members: readonly FieldDifference[] }) {
  return (
    <Stack gap="xs" pl="sm" style={{ borderLeft: '2px solid var(--mantine-color-default-border)' }}>
      {members.map((member) => (
        <div key={member.name}>
          <Text size="sm" fw={500}>
            {labelOfDifference(member)}
          </Text>
          <DifferenceView
            name={labelOfDifference(member)}
            field={member.field}
            difference={member.difference}
          />
        </div>
      ))}
    </Stack>
  );
}

function Items({
  name,
  field,
  items,
}: {
  name: string;
  field: Field | undefined;
  items: readonly ItemDifference[];
}) {
  return (
    <Stack gap="xs">
      {items.map((item, index) =>
        'same' in item ? (
          <Text key={index} size="sm" c="dimmed">
            {item.same === 1 ? '1 unchanged item' : `${item.same} unchanged items`}
          </Text>
        ) : (
          <div key={index}>
            <Text size="sm" fw={500}>
              {name} {item.position}
            </Text>
            <DifferenceView name={`${name} ${item.position}`} field={field} difference={item.difference} />
          </div>
        ),
      )}
    </Stack>
  );
}
