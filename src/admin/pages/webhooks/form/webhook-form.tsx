/**
 * The form of a webhook: its name and receiver, which changes it sends, and what it sends of them.
 */
import { Checkbox, Group, MultiSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type Tagged, type Webhook } from '../../../api.ts';
import { actionWords } from '../../../parts/changes/actor-name.tsx';
import { LastRecordSave } from '../../../parts/changes/last-save.tsx';
import { findTypeChoices, toTypeChoices, typeList } from '../../../parts/data/lists.ts';
import { FormFrame } from '../../../parts/forms/form-frame.tsx';
import type { FormLabels, FormOptions } from '../../../parts/forms/form-options.ts';
import { type Form, useForm } from '../../../parts/forms/use-form.ts';
import { isBeingTyped } from '../../../parts/predicates/complete.ts';
import { findFlaw, PredicateError } from '../../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { blankWebhook, hasPredicate, toChanges, toFields, type WebhookFields } from '../webhook-data.ts';

/** The form of a webhook. `reload` reads it again when another user has changed it. */
export function WebhookForm({
  seen,
  save,
  reload,
}: Pick<FormOptions<Webhook, WebhookFields, never>, 'save' | 'reload'> & {
  /** Absent of a new webhook. */
  seen?: Tagged<Webhook>;
}) {
  const id = seen?.data.id ?? 'new';
  const form = useForm<Webhook, WebhookFields>({
    place: `webhook ${id}`,
    labels,
    action: seen ? 'Save' : 'Create webhook',
    seen,
    blank: blankWebhook,
    toFields,
    toBody: (fields) => ({ ...toChanges(fields) }),
    save,
    reload,
  });
  const input = { required: true, autoComplete: 'off', spellCheck: false };
  return (
    <FormFrame
      form={form}
      label="Webhook"
      savedAt={seen?.data.updatedAt}
      lastSave={<LastRecordSave type="Webhook" read={() => answer(admin.getWebhook({ path: { id } }))} />}
    >
      <TextInput label="Name" {...input} {...form.text('name')} />
      <TextInput
        label="URL"
        description="The address of the receiver, which begins with https:// or http://."
        {...input}
        {...form.text('url')}
      />
      <TypePicker form={form} />
      <ActionChoice form={form} />
      <PredicateField form={form} />
      <Radio.Group label="Payload" {...form.input('payload')}>
        <Stack gap="xs" mt="xs">
          <Radio value="thin" label="Thin" description="The ID, the type, the action and the version." />
          <Radio
            value="asset"
            label="Asset"
            description="The whole asset as well, as it was after the change."
          />
        </Stack>
      </Radio.Group>
    </FormFrame>
  );
}

const labels: FormLabels<WebhookFields> = {
  name: 'Name',
  url: 'URL',
  types: 'Types',
  actions: 'Actions',
  where: 'Predicate',
  payload: 'Payload',
};

/** A check box for each action. */
function ActionChoice({ form }: { form: Form<WebhookFields> }) {
  // The order is always the same, whichever was checked first.
  const choose = (chosen: string[]) =>
    form.change({ actions: blankWebhook.actions.filter((action) => chosen.includes(action)) });
  return (
    <Checkbox.Group
      label="Actions"
      description="Erased means deleted with the whole history, which is sent whatever the predicate."
      {...form.input('actions')}
      value={[...form.fields.actions]}
      onChange={choose}
    >
      <Group my="xs">
        {blankWebhook.actions.map((action) => (
          <Checkbox key={action} value={action} label={actionWords[action]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** How long the user has to pause before the text is checked. */
const pauseMs = 300;

/** A text field, with a caret below the mistake. */
function PredicateField({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
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

const all = '*';

/** A check box for all content, and a multiple choice for some. */
function TypePicker({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
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
