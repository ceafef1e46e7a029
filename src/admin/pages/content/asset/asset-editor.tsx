/**
 * The editor of an asset whose type is known: its form, its history, its actions and its JSON.
 */
import { Code, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { pathOfAsset, pathOfType, titleOf } from '../../../parts/data/asset-titles.ts';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { Page } from '../../../parts/layout/page.tsx';
import { FormContext } from '../draft/form-context.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { type AssetFormState, useAssetForm } from '../draft/use-asset-form.ts';
import { PresentHistory } from '../history/history-panel.tsx';
import { FieldInput } from '../inputs/field-input.tsx';
import { MergeDialog } from '../merge/merge-dialog.tsx';
import { AssetTabs } from './asset-tabs.tsx';
import { DeleteAsset } from './delete-asset.tsx';
import { RawJson } from './raw-json.tsx';
import { SaveBar } from './save-bar.tsx';
import { UnfitNotice } from './unfit-notice.tsx';

/** Edits the asset `begun`, or creates a new one when it is absent. */
export function AssetEditor({ type, begun }: { type: ContentType; begun: StoredAsset | undefined }) {
  const [destination, setDestination] = useState<string>();
  const form = useAssetForm(type, { begun, onCreated: ({ data }) => setDestination(pathOfAsset(data)) });
  // Drawn without the guard, so that leaving asks nothing.
  if (destination !== undefined) return <Navigate to={destination} replace />;
  const { stored } = form;
  const list = pathOfType(type.class);
  return (
    <Page
      title={stored ? titleOf(stored.data, type) : `New ${type.name}`}
      back={{ to: list, label: type.name }}
      actions={stored && <DeleteAsset stored={stored} type={type} onDeleted={() => setDestination(list)} />}
    >
      <LeaveGuard isChanged={form.changed.size > 0} />
      <Group gap="xs">
        <Code>{type.class}</Code>
        {stored && <Code>{stored.data._id}</Code>}
      </Group>
      {!stored && <Form type={type} form={form} />}
      {stored && (
        <AssetTabs
          form={
            <Stack>
              <UnfitNotice asset={stored.data} unfit={form.unfit} />
              <Form type={type} form={form} />
              <RawJson asset={stored.data} />
            </Stack>
          }
          history={<PresentHistory id={stored.data._id} type={type} onRestored={form.showRestored} />}
        />
      )}
      {form.conflict && (
        <MergeDialog type={type} changes={form.conflict} onClose={form.stopMerge} onMerge={form.merge} />
      )}
    </Page>
  );
}

function Form({ type, form }: { type: ContentType; form: AssetFormState }) {
  return (
    <form ref={form.formRef} onSubmit={form.submit} noValidate aria-label={`${type.name} fields`}>
      <Stack gap="md">
        <Fields type={type} form={form} />
        <SaveBar isNew={!form.stored} form={form} />
      </Stack>
    </form>
  );
}

function Fields({ type, form }: { type: ContentType; form: AssetFormState }) {
  const { shapes, messages, draft, change } = form;
  return (
    <FormContext value={{ shapes, messageAt: (path) => messages.get(path) }}>
      {type.fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          path={field.name}
          draft={draft[field.name]}
          onChange={(value) => change(field.name, value)}
        />
      ))}
    </FormContext>
  );
}
