/**
 * The editor of an asset whose type is known: its form, its history, its actions and its JSON.
 */
import { Code, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { pathOfList } from '../../../parts/data/last-list.ts';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { Page } from '../../../parts/layout/page.tsx';
import { CreateContext } from '../draft/create-context.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useAssetForm } from '../draft/use-asset-form.ts';
import { PresentHistory } from '../history/history-panel.tsx';
import { CreateReferenced } from '../inputs/create-referenced.tsx';
import { MergeDialog } from '../merge/merge-dialog.tsx';
import { AssetFields } from './asset-fields.tsx';
import { AssetTabs } from './asset-tabs.tsx';
import { DeleteAsset } from './delete-asset.tsx';
import { RawJson } from './raw-json.tsx';
import { UnfitNotice } from './unfit-notice.tsx';

/** Edits the asset `begun`, or creates a new one when it is absent. */
export function AssetEditor({ type, begun }: { type: ContentType; begun: StoredAsset | undefined }) {
  const [destination, setDestination] = useState<string>();
  const form = useAssetForm(type, { begun, onCreated: ({ data }) => setDestination(pathOfAsset(data)) });
  // Drawn without the guard, so that leaving asks nothing.
  if (destination !== undefined) return <Navigate to={destination} replace />;
  const { stored } = form;
  const list = pathOfList(type);
  const fields = (
    <CreateContext value={CreateReferenced}>
      <AssetFields type={type} form={form} />
    </CreateContext>
  );
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
      {!stored && fields}
      {stored && (
        <AssetTabs
          form={
            <Stack>
              <UnfitNotice asset={stored.data} type={type} unfit={form.unfit} goTo={form.goTo} />
              {fields}
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
