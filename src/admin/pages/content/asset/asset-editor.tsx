/**
 * The editor of an asset whose type is known: its form, its history, its actions and its JSON.
 */
import { Box, Button, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import type { Asset, ContentType } from '../../../api.ts';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { pathOfAsset, titleOf } from '../../../parts/data/asset-titles.ts';
import { pathOfList } from '../../../parts/data/last-list.ts';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Page } from '../../../parts/layout/page.tsx';
import { stateOf, stateWords } from '../../../parts/releases/draft-state.ts';
import { assetStates } from '../../../parts/releases/release-data.ts';
import { useDraftsOnly, useWorkRelease } from '../../../parts/releases/work-release.ts';
import { Ago } from '../../../parts/time/ago.tsx';
import { useMay } from '../../../roles.ts';
import { CreateContext } from '../draft/create-context.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useAssetForm } from '../draft/use-asset-form.ts';
import { PresentHistory } from '../history/history-panel.tsx';
import { CreateReferenced } from '../inputs/create-referenced.tsx';
import { MergeDialog } from '../merge/merge-dialog.tsx';
import { AssetFields } from './asset-fields.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { References, useReferences } from './references.tsx';
import { useDeleteAsset } from './save-asset.ts';
import { UnfitNotice } from './unfit-notice.tsx';

/** Edits the asset `begun`, or creates a new one when it is absent. */
export function AssetEditor({
  type,
  begun,
  release,
}: {
  type: ContentType;
  begun: StoredAsset | undefined;
  release: string | null;
}) {
  const [destination, setDestination] = useState<string>();
  const states = useQuery({
    ...assetStates(begun?.data._id ?? '', release),
    enabled: begun !== undefined && release !== null,
    refetchOnReconnect: false,
  }).data;
  const isDrafted = states !== undefined && stateOf(states.live?.data, states.drafted?.data) !== 'live';
  const form = useAssetForm(type, {
    begun,
    place: { release, isDrafted },
    draftsOnly: useDraftsOnly(),
    onCreated: ({ data }) => setDestination(pathOfAsset(data)),
  });
  const [parameters] = useSearchParams();
  const field = parameters.get('field');
  useEffect(() => {
    if (field !== null) form.goTo(field);
  }, [field]);
  const mayChangeLive = useMay('editor');
  const mayDelete = mayChangeLive || release !== null;
  const work = useWorkRelease() ?? (mayChangeLive ? undefined : (release ?? undefined));
  const tabs = useTab();
  // Drawn without the guard, so that leaving asks nothing.
  if (destination !== undefined) return <Navigate to={destination} replace />;
  const { stored } = form;
  const list = pathOfList(type);
  const state = states && stateWords[stateOf(states.live?.data, states.drafted?.data)];
  return (
    <Tabs keepMounted={false} value={tabs.tab} onChange={tabs.show}>
      <Page
        title={stored ? titleOf(stored.data, type) : `New ${type.name}`}
        back={{ to: list, label: type.name }}
        actions={
          stored && (
            <>
              <Tabs.List>
                <Tabs.Tab value="edit">Edit</Tabs.Tab>
                <Tabs.Tab value="history">History</Tabs.Tab>
              </Tabs.List>
              {mayDelete && (
                <DeleteAsset
                  stored={stored}
                  type={type}
                  release={work ?? (isDrafted && !states?.live ? (release ?? undefined) : undefined)}
                  onDeleted={() => setDestination(list)}
                />
              )}
            </>
          )
        }
      >
        <LeaveGuard isChanged={form.changed.size > 0} />
        {/* The form stays as it is while the history is open. */}
        <Tabs.Panel value="edit" keepMounted>
          <CreateContext value={CreateReferenced}>
            <AssetFields
              type={type}
              form={form}
              state={
                <>
                  {state && <Mark color={state.color}>{state.label}</Mark>}
                  {stored && <LastChange asset={stored.data} />}
                </>
              }
              notices={
                stored && (
                  <>
                    {states && release !== null && (
                      <DraftNotice
                        id={stored.data._id}
                        type={type}
                        release={release}
                        states={states}
                        onDiscarded={(live) => (live ? form.showStored(live) : setDestination(list))}
                      />
                    )}
                    <UnfitNotice asset={stored.data} type={type} unfit={form.unfit} goTo={form.goTo} />
                  </>
                )
              }
            />
          </CreateContext>
          {stored && <RawJson asset={stored.data} />}
        </Tabs.Panel>
        {stored && (
          <Tabs.Panel value="history">
            <PresentHistory id={stored.data._id} type={type} onRestored={form.showRestored} />
          </Tabs.Panel>
        )}
        {form.conflict && (
          <MergeDialog type={type} changes={form.conflict} onClose={form.stopMerge} onMerge={form.merge} />
        )}
      </Page>
    </Tabs>
  );
}

/** The tab that the address names, and how to go to the other one. */
function useTab() {
  const [parameters, setParameters] = useSearchParams();
  return {
    tab: parameters.get('tab') === 'history' ? 'history' : 'edit',
    show: (value: string | null) =>
      setParameters((before) => {
        before.delete('tab');
        if (value === 'history') before.set('tab', 'history');
        return before;
      }),
  };
}

function LastChange({ asset }: { asset: Asset }) {
  const ms = asset['cms.content.updateDate'];
  if (typeof ms !== 'number') return null;
  return (
    <Text size="sm" c="dimmed" visibleFrom="xs">
      Changed <Ago ms={ms} />
    </Text>
  );
}

/** A button with its dialog. */
function DeleteAsset({
  stored,
  type,
  release,
  onDeleted,
}: {
  stored: StoredAsset;
  type: ContentType;
  /** The release in which the deletion is drafted; absent for one that is live at once. */
  release: string | undefined;
  onDeleted: () => void;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useDeleteAsset(release);
  const references = useReferences(stored.data._id, isOpen);
  return (
    <>
      <Button variant="default" onClick={open}>
        Delete
      </Button>
      <ConfirmByName
        name={nameOf(stored, type)}
        title={`Delete this ${type.name}?`}
        consequence={
          release === undefined
            ? 'References to it stay, but lead nowhere. You can restore the asset from the deleted assets while its history is kept.'
            : 'An asset that is live is deleted when the draft is published. References to it stay, but lead nowhere then. One that was never live is gone at once.'
        }
        isReady={!references.isFetching}
        action="Delete"
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          await remove(stored);
          notifications.show({ message: release === undefined ? 'Deleted' : 'Deletion drafted' });
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
    <Box mt="lg">
      <Button variant="default" size="xs" mb="xs" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Hide' : 'Show'} the stored JSON
      </Button>
      {isOpen && <CopyField label="JSON" text={JSON.stringify(asset, null, 2)} maxHeight={480} />}
    </Box>
  );
}
