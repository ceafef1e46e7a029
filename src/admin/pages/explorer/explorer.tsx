/**
 * GraphiQL for one endpoint, in the page's colour scheme, with an action that creates a REST mapping. Only the explorer page
 * imports this file, since the import loads GraphiQL, its editor and their workers.
 */
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { Box, useComputedColorScheme } from '@mantine/core';
import { GraphiQL } from 'graphiql';
import { useMemo } from 'react';
import { createEndpointStorage } from './endpoint-storage.ts';
import { MappingAction } from './mapping-action.tsx';
import { useReadableThemes } from './readable-themes.ts';
import { schemaQueryName, useFetcher } from './use-fetcher.ts';

/** The explorer of one endpoint; another endpoint takes another one. */
export function Explorer({ endpointId }: { endpointId: string }) {
  const fetcher = useFetcher(endpointId);
  const storage = useMemo(() => createEndpointStorage(endpointId), [endpointId]);
  const colorScheme = useComputedColorScheme('light');
  useReadableThemes();
  return (
    <Box className="explorer-place">
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
    </Box>
  );
}

const firstQuery = `# Ctrl+Space completes, Ctrl+Enter runs.
query Example {
  __typename
}
`;
