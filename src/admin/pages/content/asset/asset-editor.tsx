/**
 * The editor of an asset whose type is known: its form, its history, its actions and its JSON.
 */
import { Button, Code, Group, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import type { Asset, ContentType } from '../../../api.ts';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { pathOfList } from '../../../parts/data/last-list.ts';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { Page } from '../../../parts/layout/page.tsx';
import { CreateContext } from '../draft/create-context.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useAssetForm } from '../draft/use-asset-form.ts';
import { PresentHistory } from '../history/history-panel.tsx';
import { CreateReferenced } from '../inputs/create-referenced.tsx';
import { MergeDialog } from '../merge/merge-dialog.tsx';
import { AssetFields } from './asset-fields.tsx';
import { References, useReferences } from './references.tsx';
import { useDeleteAsset } from './save-asset.ts';
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

/** Both tabs. The form stays as it is while the history is open. */
function AssetTabs({ form, history }: { form: ReactNode; history: ReactNode }) {
  const [parameters, setParameters] = useSearchParams();
  const tab = parameters.get('tab') === 'history' ? 'history' : 'edit';
  return (
    <Tabs
      keepMounted={false}
      value={tab}
      onChange={(value) =>
        setParameters((before) => {
          before.delete('tab');
          if (value === 'history') before.set('tab', 'history');
          return before;
        })
      }
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="edit">Edit</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="edit" keepMounted>
        {form}
      </Tabs.Panel>
      <Tabs.Panel value="history">{history}</Tabs.Panel>
    </Tabs>
  );
}

/** A button with its dialog. */
function DeleteAsset({
  stored,
  type,
  onDeleted,
}: {
  stored: StoredAsset;
  type: ContentType;
  onDeleted: () => void;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useDeleteAsset();
  const references = useReferences(stored.data._id, isOpen);
  return (
    <>
      <Button variant="default" onClick={open}>
        Delete
      </Button>
      <ConfirmByName
        name={nameOf(stored, type)}
        title={`Delete this ${type.name}?`}
        consequence="References to it stay, but lead nowhere. You can restore the asset from the deleted assets while its history is kept."
        isReady={!references.isFetching}
        action="Delete"
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          await remove(stored);
          notifications.show({ message: 'Deleted' });
          onDeleted();
        }}
      >
        <References query={references} />
      </ConfirmByName>
    </>
  );
}

/** The text to type: the title if it can be typed, otherwise the ID. */
function nameOf({ data }: StoredAsset, type: ContentType): string {
  const title = titleOf(data, type);
  return /^\S+( \S+)*$/.test(title) && title.length <= 80 ? title : data._id;
}

/** A button that shows and hides the JSON of what is stored. */
function RawJson({ asset }: { asset: Asset }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button variant="default" size="xs" mb="xs" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Hide' : 'Show'} the stored JSON
      </Button>
      {isOpen && <CopyField label="JSON" text={JSON.stringify(asset, null, 2)} maxHeight={480} />}
    </div>
  );
}
