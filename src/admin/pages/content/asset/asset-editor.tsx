/**
 * The editor of an asset whose type is known: its form, its history, its actions and its JSON.
 */
import { Box, Tabs } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { LastSave } from '../../../parts/changes/last-save.tsx';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { pathOfList } from '../../../parts/data/last-list.ts';
import { pathOfAsset, titleOf } from '../../../parts/data/load-titles.ts';
import { LeaveGuard } from '../../../parts/forms/form-bar.tsx';
import { Page } from '../../../parts/layout/page.tsx';
import { assetStates, stateOf } from '../../../parts/releases/release-data.ts';
import { draftsRelease, useDraftsOnly, useWorkRelease } from '../../../parts/releases/work-release.ts';
import { useMay } from '../../../roles.ts';
import { useSession } from '../../../session.ts';
import { CreateContext } from '../draft/form-context.ts';
import { toPlace, useUnsavedDraft } from '../draft/unsaved-draft.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useAssetForm } from '../draft/use-asset-form.ts';
import { PresentHistory } from '../history/history-panel.tsx';
import { CreateReferenced } from '../inputs/create-referenced.tsx';
import { MergeValues } from '../merge/resolve-draft.tsx';
import { AssetActions } from './asset-actions.tsx';
import { AssetForm } from './asset-form.tsx';
import { AssetState } from './asset-state.tsx';
import type { Deletion } from './delete-asset.tsx';
import { DraftNotice } from './draft-notice.tsx';
import classes from './preview-panel.module.css';
import { PreviewPanel } from './preview-panel.tsx';
import { RawJson } from './raw-json.tsx';
import { UsedBy } from './references.tsx';
import { UnfitNotice } from './unfit-notice.tsx';

/** Where the history has room beside the form. */
const wideWindow = '(min-width: 1200px)';
const sinceFirstDraw = { getInitialValueInEffect: false };

/** Edits the asset `begun`, or creates a new one when it is absent, which begins with the fields `copied` if there are any. */
export function AssetEditor({
  type,
  begun,
  copied,
  release,
}: {
  type: ContentType;
  begun: StoredAsset | undefined;
  copied?: Readonly<Record<string, unknown>>;
  release: string | null;
}) {
  const [isPreviewing, preview] = useDisclosure(false);
  const [destination, setDestination] = useState<string>();
  const states = useQuery({
    ...assetStates(begun?.data._id ?? '', release),
    enabled: begun !== undefined && release !== null,
    refetchOnReconnect: false,
  }).data;
  const state = states && stateOf(states.live?.data, states.drafted?.data, states.isWithdrawn);
  const isDrafted = state !== undefined && state !== 'live';
  const form = useAssetForm(type, {
    begun,
    copied,
    place: { release, isDrafted },
    draftsOnly: useDraftsOnly(),
    onCreated: ({ data }) => {
      unsaved.moveTo(toPlace(release, data._id));
      setDestination(pathOfAsset(data));
    },
  });
  const [parameters] = useSearchParams();
  const from = parameters.get('from');
  const place = begun?.data._id ?? (from === null ? 'new' : `copy ${from}`);
  const unsaved = useUnsavedDraft(type, form, toPlace(release, place));
  const field = parameters.get('field');
  useEffect(() => {
    if (field !== null) form.goTo(field);
  }, [field]);
  const mayChangeLive = useMay('editor');
  const isErasing = useSession()?.erasesDeletions === true;
  const mayDelete = mayChangeLive || release !== null;
  const work = useWorkRelease() ?? (mayChangeLive ? undefined : (release ?? undefined));
  const tabs = useTab();
  const tabsId = useId();
  const isBeside = useMediaQuery(wideWindow, undefined, sinceFirstDraw) === true && tabs.tab === 'history';
  // Drawn without the guard, so that leaving asks nothing.
  if (destination !== undefined) return <Navigate to={destination} replace />;
  const deletedIn = work ?? (isDrafted && !states?.live ? (release ?? undefined) : undefined);
  const { stored } = form;
  const list = pathOfList(type);
  return (
    <Tabs id={tabsId} keepMounted={false} value={tabs.tab} onChange={tabs.show}>
      <Page
        title={stored ? titleOf(stored.data, type) : `New ${nameOfType(type)}`}
        back={{ to: list, label: nameOfType(type) }}
        isWide={isPreviewing || isBeside}
        actions={
          stored && (
            <>
              <AssetActions
                stored={stored}
                type={type}
                form={form}
                preview={release === null ? undefined : { isOpen: isPreviewing, toggle: preview.toggle }}
                live={(mayChangeLive && release === draftsRelease && states?.live) || undefined}
                deletion={
                  mayDelete
                    ? { kind: toDeletion(release, { deletedIn, isErasing }), release: deletedIn }
                    : undefined
                }
                onDeleted={() => {
                  unsaved.forget();
                  setDestination(list);
                }}
              />
              {/* Last, so that Tab leads from them to what they show. */}
              <Tabs.List>
                <Tabs.Tab value="edit" px="xs">
                  Edit
                </Tabs.Tab>
                <Tabs.Tab value="history" px="xs">
                  History
                </Tabs.Tab>
              </Tabs.List>
            </>
          )
        }
      >
        <LeaveGuard isChanged={form.changed.size > 0} />
        <div className={isBeside || isPreviewing ? classes.beside : undefined}>
          {stored && (
            <Tabs.Panel value="history" className={isBeside ? classes.history : undefined}>
              <PresentHistory
                id={stored.data._id}
                type={type}
                release={release}
                isDrafted={isDrafted}
                onRestored={form.showRestored}
              />
            </Tabs.Panel>
          )}
          {/* The form stays as it is while the history is open, and where there is room beside it. */}
          <Box
            miw={0}
            role="tabpanel"
            id={`${tabsId}-panel-edit`}
            aria-labelledby={`${tabsId}-tab-edit`}
            hidden={tabs.tab !== 'edit' && !isBeside}
          >
            <CreateContext value={CreateReferenced}>
              <AssetForm
                type={type}
                form={form}
                unsaved={unsaved}
                state={
                  <AssetState
                    stored={stored}
                    state={state}
                    release={release}
                    isEditing={form.changed.size > 0}
                  />
                }
                side={stored && <UsedBy id={stored.data._id} />}
                notices={
                  stored && (
                    <>
                      {states && release !== null && (
                        <DraftNotice
                          id={stored.data._id}
                          type={type}
                          release={release}
                          states={states}
                          onDiscarded={(live) => {
                            unsaved.keepDiscarded();
                            if (live) form.showStored(live);
                            else setDestination(list);
                          }}
                        />
                      )}
                      <UnfitNotice asset={stored.data} type={type} unfit={form.unfit} goTo={form.goTo} />
                    </>
                  )
                }
              />
            </CreateContext>
            {stored && <RawJson asset={stored.data} />}
          </Box>
          {isPreviewing && tabs.tab === 'edit' && stored && release !== null && (
            <PreviewPanel stored={stored} type={type} release={release} />
          )}
        </div>
        {form.conflict && (
          <MergeValues
            type={type}
            changes={form.conflict}
            lastSave={
              stored && (
                <LastSave
                  id={stored.data._id}
                  release={form.conflictRelease}
                  fields={form.conflict.conflicts.map(({ name }) => name)}
                />
              )
            }
            onClose={form.stopMerge}
            onMerge={form.merge}
          />
        )}
      </Page>
    </Tabs>
  );
}

/** A store without releases has no history either. */
function toDeletion(
  release: string | null,
  { deletedIn, isErasing }: { deletedIn: string | undefined; isErasing: boolean },
): Deletion {
  if (deletedIn !== undefined) return 'drafted';
  if (release === null) return 'final';
  return isErasing ? 'erasing' : 'restorable';
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
