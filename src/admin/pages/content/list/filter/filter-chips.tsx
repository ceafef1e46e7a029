/**
 * The conditions of the filter in one line, each of which can be removed.
 */
import { Button, CloseButton, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ContentType } from '../../../../api.ts';
import { assetTitle } from '../../../../parts/data/load-titles.ts';
import { splitConditions } from './conditions.ts';
import { type DescribedCondition, describeCondition } from './describe-condition.ts';
import classes from './filter-chips.module.css';

/** The line, if there are any; `onChange` receives the conditions that remain. */
export function FilterChips({
  type,
  where,
  onChange,
}: {
  type: ContentType;
  where: string;
  onChange: (next: (before: readonly string[]) => string[]) => void;
}) {
  const conditions = splitConditions(where);
  if (conditions.length === 0) return null;
  return (
    <Group gap="xs" mih={28}>
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
