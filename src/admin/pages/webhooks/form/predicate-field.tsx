/**
 * The predicate of a webhook, which the server checks while one types.
 */
import { Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer } from '../../../api.ts';
import type { Form } from '../../../parts/forms/use-form.ts';
import { isBeingTyped } from '../../../parts/predicates/complete.ts';
import { findFlaw, PredicateError } from '../../../parts/problems/predicate-error.tsx';
import { hasPredicate, type WebhookFields } from './draft.ts';

/** How long the user has to pause before the text is checked. */
const pauseMs = 300;

/** A text field, with a caret below the mistake. */
export function PredicateField({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
  const { types, where } = fields;
  const [text] = useDebouncedValue(where, pauseMs);
  const check = useQuery({
    queryKey: ['webhook-check', types, text],
    queryFn: ({ signal }) =>
      answer(admin.checkWebhook({ body: { types: [...types], where: text }, signal })).then(
        ({ problems }) => problems,
      ),
    enabled: types.length > 0 && hasPredicate(text),
    // The content types change only when the server restarts, and a check that failed is made again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isChecked = text === where && check.isEnabled;
  // While its word is typed, a mistake may be none; it is shown when the word ends or the field is left.
  const [caret, setCaret] = useState<number>();
  const found = isChecked ? findFlaw(check.data ?? []) : undefined;
  const flaw = found && caret !== undefined && isBeingTyped(where, caret, found.column) ? undefined : found;
  return (
    <div>
      <Textarea
        label="Predicate"
        description="Sends only the changes for which it holds. Paths that begin with _before. mean the state before the change. Leave empty to send all changes."
        value={where}
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart);
          change({ where: event.currentTarget.value });
        }}
        onBlur={() => setCaret(undefined)}
        error={flaw ? <PredicateError where={where} flaw={flaw} /> : errorOf('where')}
        data-path="where"
        styles={monospace}
        spellCheck={false}
        autosize
        minRows={2}
        maxRows={12}
      />
      <Text size="xs" mt={4} role="status">
        {isChecked && describeCheck(check)}
      </Text>
    </div>
  );
}

function describeCheck({
  data,
  error,
}: {
  data: readonly unknown[] | undefined;
  error: Error | null;
}): string {
  if (error) return `The predicate could not be checked: ${error.message}`;
  return data?.length === 0 ? 'The predicate fits the types.' : '';
}

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
