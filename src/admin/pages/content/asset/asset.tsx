/**
 * The page of one asset. `new` in place of its ID creates one.
 */
import { Alert, Code, Group } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Params, useParams, useSearchParams } from 'react-router';
import { contentType, useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfType, titleOf } from '../../../parts/data/load-titles.ts';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { Loaded, Loading } from '../../../parts/loading/loading.tsx';
import { assetStates } from '../../../parts/releases/release-data.ts';
import { useFormRelease } from '../../../parts/releases/work-release.ts';
import { toCopy } from '../draft/to-copy.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { HistoryPanel } from '../history/history-panel.tsx';
import { NewAssetButton } from '../list/no-assets.tsx';
import { AssetEditor } from './asset-editor.tsx';
import { DraftNotice } from './draft-notice.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = ({ type }: Readonly<Params>) => (type === undefined ? [] : [contentType(type)]);

export default function AssetForm() {
  const { type = '', id = '' } = useParams();
  const [parameters] = useSearchParams();
  const from = parameters.get('from');
  if (id === 'new' && from !== null) return <AssetCopy key={from} type={type} from={from} />;
  return id === 'new' ? <NewAsset key={type} type={type} /> : <ExistingAsset key={id} type={type} id={id} />;
}

function NewAsset({ type }: { type: string }) {
  const query = useQuery(contentType(type));
  const release = useFormRelease();
  if (!query.data || release === undefined) return <Waiting type={type} query={query} />;
  if (query.data.kind === 'object')
    return <AssetEditor type={query.data} begun={undefined} release={release} />;
  return (
    <Page title={`New ${query.data.name}`} back={{ to: pathOfType(type), label: query.data.name }}>
      <EmptyState title="Choose a type that implements this interface">
        <Group justify="center" mt="sm">
          <NewAssetButton type={query.data} />
        </Group>
      </EmptyState>
    </Page>
  );
}

/** The form of a new asset with the fields of another one, which nothing keeps until it is saved. */
function AssetCopy({ type, from }: { type: string; from: string }) {
  const nameOf = useTypeNames();
  const query = useQuery(contentType(type));
  const release = useFormRelease();
  const states = useQuery({ ...assetStates(from, release), refetchOnReconnect: false });
  const [original, setOriginal] = useState<StoredAsset>();
  const found = states.isFetchedAfterMount ? (states.data?.drafted ?? states.data?.live) : undefined;
  if (!original && found) setOriginal(found);
  if (query.data && original && release !== undefined) {
    const copied = toCopy(original.data, query.data);
    return <AssetEditor type={query.data} begun={undefined} copied={copied} release={release} />;
  }
  if (!states.isFetchedAfterMount || !states.data)
    return <Waiting type={type} query={query.data ? states : query} />;
  return (
    <Page title={`New ${nameOf(type)}`} back={{ to: pathOfType(type), label: nameOf(type) }}>
      <Alert color="gray" title="This asset cannot be duplicated">
        No asset has the ID <Code>{from}</Code> now.
      </Alert>
    </Page>
  );
}

function ExistingAsset({ type, id }: { type: string; id: string }) {
  const release = useFormRelease();
  const asset = useQuery({ ...assetStates(id, release), refetchOnReconnect: false });
  // What was kept from before may be out of date or gone, and one edits the present state. Once the form is there, no later failure
  // to read the asset takes it away.
  const [begun, setBegun] = useState<StoredAsset>();
  if (!begun && asset.isFetchedAfterMount && asset.data?.drafted) setBegun(asset.data.drafted);
  if (begun && release !== undefined) return <TypedAsset begun={begun} release={release} />;
  if (asset.isFetchedAfterMount && asset.data && typeof release === 'string' && asset.data.live) {
    return <AssetToDelete type={type} id={id} release={release} live={asset.data.live} onKept={setBegun} />;
  }
  if (asset.isFetchedAfterMount && asset.data)
    return <DeletedAsset type={type} id={id} onRestored={setBegun} />;
  return <Waiting type={type} query={asset} />;
}

/** An asset whose deletion is drafted; `onKept` receives it once the draft is discarded. */
function AssetToDelete({
  type,
  id,
  release,
  live,
  onKept,
}: {
  type: string;
  id: string;
  release: string;
  live: StoredAsset;
  onKept: (stored: StoredAsset) => void;
}) {
  const nameOf = useTypeNames();
  const query = useQuery(contentType(type));
  return (
    <Page title={titleOf(live.data, query.data)} back={{ to: pathOfType(type), label: nameOf(type) }}>
      <Loaded query={query} what="the type">
        {(data) => (
          <DraftNotice
            id={id}
            type={data}
            release={release}
            states={{ live, drafted: null, isWithdrawn: false }}
            onDiscarded={() => onKept(live)}
          />
        )}
      </Loaded>
    </Page>
  );
}

function TypedAsset({ begun, release }: { begun: StoredAsset; release: string | null }) {
  const { _type: type } = begun.data;
  const query = useQuery(contentType(type));
  if (!query.data) return <Waiting type={type} query={query} />;
  return <AssetEditor type={query.data} begun={begun} release={release} />;
}

function Waiting({ type, query }: { type: string; query: UseQueryResult<unknown> }) {
  const nameOf = useTypeNames();
  const back = { to: pathOfType(type), label: nameOf(type) };
  return (
    <Page title={nameOf(type)} back={back}>
      <Loaded query={query} what="the asset">
        {() => <Loading />}
      </Loaded>
    </Page>
  );
}

/** The page; `onRestored` receives the asset once it exists again. */
function DeletedAsset({
  type,
  id,
  onRestored,
}: {
  type: string;
  id: string;
  onRestored: (stored: StoredAsset) => void;
}) {
  const query = useQuery(contentType(type));
  const name = useTypeNames()(type);
  return (
    <Page title={`${name} not found`} back={{ to: pathOfType(type), label: name }}>
      <Alert color="gray" title="This asset does not exist">
        No asset has the ID <Code>{id}</Code> now. If it was deleted, an editor can restore it from its
        history.
      </Alert>
      <Loaded query={query} what={name}>
        {(data) => <HistoryPanel id={id} type={data} current={undefined} onRestored={onRestored} />}
      </Loaded>
    </Page>
  );
}
