/**
 * GraphiQL as it stands in the explorer: on one endpoint, in the colours of the page, with a way to a REST mapping.
 *
 * Importing this file loads GraphiQL, its editor and their workers, so only the explorer's page does.
 */
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { Box, useComputedColorScheme } from '@mantine/core';
import { GraphiQL } from 'graphiql';
import { useMemo } from 'react';
import { createEndpointStorage } from './endpoint-storage.ts';
import { MappingAction } from './mapping-action.tsx';
import { schemaQueryName, useFetcher } from './use-fetcher.ts';

/** The explorer of one endpoint; another endpoint takes another one. */
export function Explorer({ endpointId }: { endpointId: string }) {
  const fetcher = useFetcher(endpointId);
  const storage = useMemo(() => createEndpointStorage(endpointId), [endpointId]);
  const colorScheme = useComputedColorScheme('light');
  return (
    <Box className="explorer">
      <GraphiQL
        fetcher={fetcher}
        introspectionQueryName={schemaQueryName}
        schemaDescription
        storage={storage}
        defaultQuery={firstQuery}
        forcedTheme={colorScheme}
        isHeadersEditorEnabled={false}
        showPersistHeadersSettings={false}
      >
        <GraphiQL.Logo>{null}</GraphiQL.Logo>
        <GraphiQL.Toolbar>
          {({ prettify, merge, copy }) => (
            <>
              {prettify}
              {merge}
              {copy}
              <MappingAction endpointId={endpointId} />
            </>
          )}
        </GraphiQL.Toolbar>
      </GraphiQL>
    </Box>
  );
}

const firstQuery = `# Ctrl+Space completes, Ctrl+Enter runs.
query Example {
  __typename
}
`;
