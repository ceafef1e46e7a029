/**
 * The number of assets found, and beside it the conditions of the filter, each of which can be removed.
 */
import { Button, CloseButton, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ContentType } from '../../../../api.ts';
import { assetTitle } from '../../../../parts/data/load-titles.ts';
import { countOf } from '../../../../parts/data/number-words.ts';
import { splitConditions } from './conditions.ts';
import { type DescribedCondition, describeCondition } from './describe-condition.ts';
import classes from './filter-chips.module.css';

/** One line of them. `count` is absent until it is known; `onChange` receives the conditions that remain. */
export function FilterChips({
  type,
  where,
  count,
  isPartial,
  onChange,
}: {
  type: ContentType;
  where: string;
  count: number | undefined;
  /** Whether a search leaves out assets, so that the number is of those found. */
  isPartial: boolean;
  onChange: (next: (before: readonly string[]) => string[]) => void;
}) {
  const conditions = splitConditions(where);
  const noun = isPartial || conditions.length > 0 ? 'found' : '';
  return (
    <Group gap="xs" mih={28}>
      <Text size="sm" role="status" c="dimmed">
        {count !== undefined && `${countOf(count, 'asset')} ${noun}`.trim()}
      </Text>
      {conditions.length > 0 && (
        <ul className={classes.list} aria-label="Conditions">
          {conditions.map((condition, index) => (
            <li key={`${index} ${condition}`} className={classes.chip}>
              <Chip
                condition={condition}
                described={describeCondition(type, condition)}
                onRemove={() => onChange((before) => before.filter((each) => each !== condition))}
              />
            </li>
          ))}
        </ul>
      )}
      {conditions.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(() => [])}>
          Clear all
        </Button>
      )}
    </Group>
  );
}

function Chip({
  condition,
  described,
  onRemove,
}: {
  condition: string;
  described: DescribedCondition | undefined;
  onRemove: () => void;
}) {
  const id = described?.reference;
  const { data: asset } = useQuery({ ...assetTitle(id ?? ''), enabled: id !== undefined });
  const value = id === undefined ? described?.value : (asset?.title ?? id);
  const words = described ? `${described.words} ${value}`.trim() : condition;
  return (
    <>
      {described ? (
        <Text span size="sm" title={condition} className={classes.words}>
          {described.words} <b>{value}</b>
        </Text>
      ) : (
        <Code className={classes.words}>{condition}</Code>
      )}
      <CloseButton size="sm" aria-label={`Remove the condition ${words}`} onClick={onRemove} />
    </>
  );
}
