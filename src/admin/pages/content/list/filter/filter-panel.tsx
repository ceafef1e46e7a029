/**
 * The panel in which a filter is built: a condition by clicks, or under "Advanced" the whole predicate. It applies as one chooses and types.
 */
import { Anchor, Button, Group, Paper, Stack } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ContentType } from '../../../../api.ts';
import { PredicateInput } from '../../../../parts/predicates/predicate-input.tsx';
import { usePredicateCheck } from '../../../../parts/predicates/use-predicate-check.ts';
import { PredicateError } from '../../../../parts/problems/predicate-error.tsx';
import { ConditionForm } from './condition-form.tsx';
import { joinConditions, splitConditions } from './conditions.ts';

/** How long after a choice or a key a condition applies. */
const pauseMs = 300;

/** The panel; `where` is the filter in force, `queryPath` the page of the query for those who may open it. */
export function FilterPanel({
  type,
  where,
  queryPath,
  onFilter,
  onClose,
}: {
  type: ContentType;
  where: string;
  queryPath: string | undefined;
  /** Hears whether the change goes on with the one before. */
  onFilter: (next: (before: string) => string, isContinued: boolean) => void;
  onClose: () => void;
}) {
  const [isAdvanced, setIsAdvanced] = useState(false);
  /** The condition in the filter that is being built. */
  const built = useRef<string>(undefined);
  const apply = useDebouncedCallback((condition: string | undefined) => {
    const former = built.current;
    if (condition === former) return;
    built.current = condition;
    onFilter(
      (before) =>
        joinConditions([
          ...splitConditions(before).filter((each) => each !== former),
          ...(condition === undefined ? [] : [condition]),
        ]),
      former !== undefined,
    );
  }, pauseMs);
  const close = () => {
    apply.flush();
    onClose();
  };
  return (
    <Paper withBorder p="sm" id="filter-panel">
      <Stack gap="xs">
        {isAdvanced ? (
          <PredicateField type={type} where={where} onFilter={onFilter} onClose={onClose} />
        ) : (
          <ConditionForm type={type} onChange={apply} onClose={close}>
            <Button variant="subtle" px="sm" onClick={() => setIsAdvanced(true)}>
              Advanced
            </Button>
          </ConditionForm>
        )}
        {isAdvanced && (
          <Group gap="sm">
            <Button size="compact-sm" variant="subtle" onClick={() => setIsAdvanced(false)}>
              Choose a field and a value
            </Button>
            {queryPath !== undefined && (
              <Anchor component={Link} to={queryPath} size="sm" underline="always">
                Open in Predicates
              </Anchor>
            )}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

/** Edits the whole predicate. A wrong one is not applied, so that the list stays as it is. */
function PredicateField({
  type,
  where,
  onFilter,
  onClose,
}: {
  type: ContentType;
  where: string;
  onFilter: (next: (before: string) => string, isContinued: boolean) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(where);
  const [began] = useState(where);
  /** The filter as this field has made it. */
  const applied = useRef(where);
  const flaw = usePredicateCheck({ from: type.class, where: text });
  const isRight = flaw === null || text.trim() === '';
  const apply = useEffectEvent(() => {
    if (text.trim() === where) return;
    applied.current = text.trim();
    onFilter(() => text.trim(), where !== began);
  });
  useEffect(() => {
    if (isRight) apply();
  }, [isRight, text]);
  useEffect(() => {
    // A condition was removed, or the page went back.
    if (where !== applied.current) setText(where);
    applied.current = where;
  }, [where]);
  return (
    <Group align="flex-start" gap="xs">
      <PredicateInput
        type={type}
        label="Predicate"
        description={`A condition on the fields, such as ${type.titleField ?? '_id'} contains[c] 'press'`}
        value={text}
        onChange={setText}
        error={flaw && <PredicateError where={text} flaw={flaw} />}
        mistakeAt={flaw?.column}
      />
      <Button variant="default" mt={22} onClick={onClose}>
        Done
      </Button>
    </Group>
  );
}
