/**
 * What Colophon keeps about every asset: its dates, its site and its ID. The fields are folded until the user wants to change them.
 */
import { Button, Code, Stack, Title } from '@mantine/core';
import { type ReactNode, use, useState } from 'react';
import type { Asset } from '../../../api.ts';
import { ReferenceTitle } from '../../../parts/assets/asset-name.tsx';
import { FactTable } from '../../../parts/layout/fact-table.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { FormContext } from '../draft/form-context.ts';

/** The facts of a stored asset, and the fields once they are wanted, or something is wrong in them. */
export function SystemFields({
  asset,
  isWrong,
  children,
}: {
  asset: Asset | undefined;
  isWrong: boolean;
  children: ReactNode;
}) {
  const { target } = use(FormContext);
  const [isWanted, setIsWanted] = useState(false);
  const [reached, setReached] = useState(target);
  if (target !== reached) {
    setReached(target);
    if (target?.path.startsWith('cms.')) setIsWanted(true);
  }
  return (
    <Stack role="group" aria-label="System fields" gap="sm">
      <Title order={2} size="h4">
        About this asset
      </Title>
      {asset && <Facts asset={asset} />}
      {isWanted || isWrong ? (
        children
      ) : (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setIsWanted(true)}
        >
          Edit system fields
        </Button>
      )}
    </Stack>
  );
}

function Facts({ asset }: { asset: Asset }) {
  const owner = asset['cms.site.owner'];
  return (
    <FactTable
      facts={[
        ['Published', toTime(asset['cms.content.publishDate'])],
        ['Changed', toTime(asset['cms.content.updateDate'])],
        [
          'Site',
          typeof owner === 'object' && owner !== null && '_ref' in owner && (
            <ReferenceTitle id={String(owner._ref)} />
          ),
        ],
        ['Type', <Code key="type">{asset._type}</Code>],
        ['ID', <Code key="id">{asset._id}</Code>],
      ]}
    />
  );
}

const toTime = (ms: unknown) => typeof ms === 'number' && <Ago ms={ms} />;
