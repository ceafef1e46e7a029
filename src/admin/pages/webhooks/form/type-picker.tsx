/**
 * Which content a webhook is about: all of it, or some content types and interfaces.
 */
import { Checkbox, MultiSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typeList } from '../../../parts/data/lists.ts';
import { findTypeChoices, toTypeChoices } from '../../../parts/data/type-names.ts';
import type { Form } from '../../../parts/forms/use-form.ts';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import type { WebhookFields } from './draft.ts';

const all = '*';

/** A check box for all content, and a multiple choice for some. */
export function TypePicker({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
  const types = useQuery(typeList);
  const isAll = fields.types.includes(all);
  // What was chosen before all content was.
  const [former, setFormer] = useState<readonly string[]>([]);
  const chooseAll = (isChosen: boolean) => {
    if (isChosen) setFormer(fields.types);
    change({ types: isChosen ? [all] : former });
  };
  const items = types.data?.items ?? [];
  const choices = toTypeChoices(items);
  const choicesOf = (kind: string) => choices.filter((_, index) => items[index]?.kind === kind);
  // A name that was stored may be a type ID, or that of a type that no longer exists.
  const others = fields.types.filter((name) => name !== all && !items.some((type) => type.class === name));
  return (
    <Stack gap="xs" data-path="types">
      <Checkbox
        label="All content"
        description="Includes types that are added later."
        checked={isAll}
        onChange={(event) => chooseAll(event.currentTarget.checked)}
        error={isAll && errorOf('types')}
      />
      {!isAll && (
        <MultiSelect
          label="Types"
          description="Content types, and interfaces for all types that implement them."
          required
          data={[
            { group: 'Content types', items: choicesOf('object') },
            { group: 'Interfaces', items: choicesOf('interface') },
            { group: 'Others', items: others.map((value) => ({ value, label: value })) },
          ].filter((group) => group.items.length > 0)}
          value={[...fields.types]}
          onChange={(chosen) => change({ types: chosen })}
          error={errorOf('types')}
          searchable
          filter={findTypeChoices}
          hidePickedOptions
          nothingFoundMessage={types.isPending ? 'Loading …' : 'No other type matches'}
        />
      )}
      <ProblemAlert
        error={types.error}
        title="The content types could not be loaded"
        onRetry={types.refetch}
      />
    </Stack>
  );
}
