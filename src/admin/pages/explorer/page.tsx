/**
 * The explorer: GraphiQL on any GraphQL endpoint, which the address names as `?endpoint=<id>`. Without one it is the endpoint that was
 * last open in this browser.
 */
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import type { Storage } from '@graphiql/toolkit';
import { Anchor, Box, Kbd, NativeSelect, Text, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { GraphiQL } from 'graphiql';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { GraphqlEndpoint } from '../../api.ts';
import { browserValues } from '../../kept-values.ts';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { MappingDialog } from './mapping-dialog.tsx';
import { useReadableThemes } from './readable-themes.ts';
import { schemaQueryName, useFetcher } from './use-fetcher.ts';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [graphqlEndpointList];

export default function ExplorerPage() {
  const { data, error, refetch } = useQuery(graphqlEndpointList);
  if (data) return <EndpointExplorer endpoints={data.items} />;
  return (
    <Frame>
      <ProblemAlert error={error} title="The GraphQL endpoints could not be loaded" onRetry={refetch} />
      {!error && <Loading />}
    </Frame>
  );
}

function Frame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="GraphQL" actions={actions} isFull>
      {children}
    </Page>
  );
}

function EndpointExplorer({ endpoints }: { endpoints: readonly GraphqlEndpoint[] }) {
  const [parameters, setParameters] = useSearchParams();
  const find = (wanted: string | null | undefined) => endpoints.find(({ id }) => id === wanted);
  const named = parameters.get('endpoint');
  const endpoint = named === null ? (find(browserValues.get(lastEndpoint)) ?? endpoints[0]) : find(named);
  useEffect(() => keepLastEndpoint(endpoint?.id), [endpoint?.id]);
  if (endpoints.length === 0) return <NoEndpoints />;
  return (
    <Frame
      actions={
        <NativeSelect
          aria-label="GraphQL endpoint"
          w={320}
          maw="100%"
          value={endpoint?.id ?? ''}
          onChange={(event) => setParameters({ endpoint: event.currentTarget.value })}
          data={[
            ...(endpoint ? [] : [{ value: '', label: 'None', disabled: true }]),
            ...endpoints.map(({ id, name, path }) => ({ value: id, label: `${name} (/graphql/${path})` })),
          ]}
        />
      }
    >
      {!endpoint && (
        <ProblemAlert error="Choose another." title="The GraphQL endpoint in the URL does not exist" />
      )}
      <Text size="xs" c="dimmed">
        Operations run as administrator, with access to all sites. In the editors <Kbd size="xs">Tab</Kbd>{' '}
        indents; after <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">M</Kbd> it moves to the next button or
        input.
      </Text>
      {endpoint && <Explorer key={endpoint.id} endpointId={endpoint.id} />}
    </Frame>
  );
}

function NoEndpoints() {
  return (
    <Frame>
      <EmptyState title="No GraphQL endpoints yet">
        An endpoint is what operations run on.{' '}
        <Anchor component={Link} to="/admin/graphql-endpoints/new" underline="always" size="sm">
          Create a GraphQL endpoint
        </Anchor>
      </EmptyState>
    </Frame>
  );
}

/** The explorer of one endpoint; another endpoint takes another one. */
function Explorer({ endpointId }: { endpointId: string }) {
  const fetcher = useFetcher(endpointId);
  const storage = useMemo(() => createEndpointStorage(endpointId), [endpointId]);
  const colorScheme = useComputedColorScheme('light');
  useReadableThemes();
  const place = useRef<HTMLDivElement>(null);
  useQueryList(place);
  return (
    <Box className="explorer-place">
      <Box className="explorer" ref={place}>
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

const firstQuery = `# Ctrl+Space completes
# Ctrl+Enter runs
query Example {
  __typename
}
`;

/** The part of the browser's storage that is an endpoint's. */
function createEndpointStorage(endpointId: string): Storage {
  const prefix = `explorer:${endpointId}:`;
  const ownKeys = () => browserValues.keys().filter((key) => key.startsWith(prefix));
  return {
    getItem: (key) => browserValues.get(prefix + key) ?? null,
    setItem: (key, value) => browserValues.set(prefix + key, value),
    removeItem: (key) => browserValues.remove(prefix + key),
    clear() {
      for (const key of ownKeys()) browserValues.remove(key);
    },
    get length() {
      return ownKeys().length;
    },
  };
}

const lastEndpoint = 'explorer:endpoint';

/** Keeps the ID of the endpoint that is open; it may not exist any more when it is read. */
function keepLastEndpoint(id: string | undefined): void {
  if (id !== undefined) browserValues.set(lastEndpoint, id);
}

/** The button, and the dialog that it opens. */
function MappingAction({ endpointId }: { endpointId: string }) {
  const [queries, variables] = [
    useGraphiQL(({ queryEditor }) => queryEditor),
    useGraphiQL(({ variableEditor }) => variableEditor),
  ];
  const [written, setWritten] = useState<{ query: string; variables: string }>();
  return (
    <>
      <ToolbarButton
        className="explorer-mapping"
        label="REST mapping"
        onClick={() =>
          setWritten({ query: queries?.getValue() ?? '', variables: variables?.getValue() ?? '' })
        }
      >
        REST mapping
      </ToolbarButton>
      <MappingDialog source={endpointId} written={written} onClose={() => setWritten(undefined)} />
    </>
  );
}

/** Changes the roles within an element whenever GraphiQL sets them. */
function useQueryList(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    changeRoles(current);
    const observer = new MutationObserver(() => changeRoles(current));
    observer.observe(current, { subtree: true, childList: true, attributeFilter: ['role', 'aria-selected'] });
    return () => observer.disconnect();
  }, [place]);
}

function changeRoles(place: HTMLElement): void {
  place.querySelector('.graphiql-tabs[role=tablist]')?.setAttribute('role', 'list');
  for (const item of place.querySelectorAll('.graphiql-tab[role=tab]')) item.setAttribute('role', 'listitem');
  for (const item of place.querySelectorAll('.graphiql-tab[aria-selected]')) {
    const isPresent = item.getAttribute('aria-selected') === 'true';
    item.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', String(isPresent));
    item.removeAttribute('aria-selected');
  }
  place.querySelector('#graphiql-session[role=tabpanel]')?.setAttribute('role', 'group');
}
