/**
 * The API reference: the OpenAPI documents of the installation, one at a time, with the guide beside them.
 */
import { Box, Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { serverUrl } from '../../base-path.ts';
import { openApiDocument } from '../../parts/data/documents.ts';
import { graphqlEndpointList, restEndpointList } from '../../parts/data/lists.ts';
import { Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { DocumentMenu } from './document-menu.tsx';
import { DocumentView } from './document-view.tsx';
import { documentPlaces } from './guide-places.ts';

export default function DocsPage() {
  const { id = 'cma' } = useParams();
  const rest = useQuery(restEndpointList);
  const graphql = useQuery(graphqlEndpointList);
  const document = useQuery(openApiDocument(id));
  const isRest = id !== 'cma' && id !== 'admin';
  return (
    <Page title="Reference">
      <ProblemAlert
        error={rest.error ?? graphql.error}
        title="The endpoints could not be loaded"
        onRetry={() => Promise.all([rest.refetch(), graphql.refetch()])}
      />
      <ProblemAlert
        error={document.error}
        title="The document could not be loaded"
        onRetry={document.refetch}
      />
      <Flex direction={{ base: 'column', md: 'row' }} gap="lg">
        <DocumentMenu current={id} rest={rest.data?.items ?? []} graphql={graphql.data?.items ?? []} />
        <Box flex={1} miw={0}>
          {document.isPending && <Loading />}
          {document.data && (
            <DocumentView
              key={id}
              document={document.data}
              place={documentPlaces[isRest ? 'rest' : id]}
              href={serverUrl + documentPath(id)}
              tryIt={isRest ? { to: `/admin/rest-endpoints/${id}`, label: 'Try its routes' } : tryPlaces[id]}
            />
          )}
        </Box>
      </Flex>
    </Page>
  );
}

/** Where requests are tried. */
const tryPlaces: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  cma: { to: '/admin/predicates', label: 'Try queries' },
};

function documentPath(id: string): string {
  if (id === 'admin') return '/api/admin/openapi.json';
  return id === 'cma' ? '/api/admin/cma/openapi.json' : `/api/admin/rest-endpoints/${id}/openapi.json`;
}
