/**
 * The API reference: shows one OpenAPI document of the installation at a time, with requests to try.
 */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { RestEndpoint } from '../../api.ts';
import { openApiDocument } from '../../parts/data/documents.ts';
import { restEndpointList } from '../../parts/data/lists.ts';
import { Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { useSession } from '../../session.ts';
import { SwaggerUi } from './swagger-ui.tsx';

export default function DocsPage() {
  const { id = 'cma' } = useParams();
  const session = useSession();
  const list = useQuery(restEndpointList);
  const document = useQuery(openApiDocument(id));
  return (
    <Page title="Reference">
      {list.data && <DocumentSelect id={id} endpoints={list.data.items} />}
      <ProblemAlert
        error={list.error}
        title="The REST endpoints could not be loaded"
        onRetry={list.refetch}
      />
      <ProblemAlert
        error={document.error}
        title="The document could not be loaded"
        onRetry={document.refetch}
      />
      {document.isPending && <Loading />}
      {document.data && <SwaggerUi key={id} document={document.data} csrfToken={session?.csrfToken} />}
    </Page>
  );
}

function DocumentSelect({ id, endpoints }: { id: string; endpoints: readonly RestEndpoint[] }) {
  const navigate = useNavigate();
  const apis = [
    { value: 'cma', label: 'Content management API' },
    { value: 'admin', label: 'Admin API' },
  ];
  const published = endpoints.flatMap(({ id, published }) =>
    published ? [{ value: id, label: published.definition.name }] : [],
  );
  const isKnown = [...apis, ...published].some(({ value }) => value === id);
  return (
    <NativeSelect
      label="API"
      maw={420}
      value={id}
      onChange={(event) => navigate(`/docs/${event.currentTarget.value}`)}
      data={[
        ...(isKnown ? [] : [{ value: id, label: 'None', disabled: true }]),
        ...apis,
        {
          group: 'REST endpoints',
          items:
            published.length > 0 ? published : [{ value: '', label: 'None published yet', disabled: true }],
        },
      ]}
    />
  );
}
