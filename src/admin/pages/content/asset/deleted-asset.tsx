/**
 * The page of an asset that does not exist: its history, if it was deleted.
 */
import { Alert, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pathOfType } from '../../../parts/data/asset-titles.ts';
import { contentType, toShortName } from '../../../parts/data/content-types.ts';
import { Page } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { HistoryPanel } from '../history/history-panel.tsx';

/** The page; `onRestored` receives the asset once it exists again. */
export function DeletedAsset({
  type,
  id,
  onRestored,
}: {
  type: string;
  id: string;
  onRestored: (stored: StoredAsset) => void;
}) {
  const query = useQuery(contentType(type));
  const name = query.data?.name ?? toShortName(type);
  return (
    <Page title={`${name} not found`} back={{ to: pathOfType(type), label: name }}>
      <Alert color="gray" title="This asset does not exist">
        No asset has the ID <Code>{id}</Code> now. If it was deleted, you can restore it from its history.
      </Alert>
      <Loaded query={query} what={name}>
        {(data) => <HistoryPanel id={id} type={data} current={undefined} onRestored={onRestored} />}
      </Loaded>
    </Page>
  );
}
