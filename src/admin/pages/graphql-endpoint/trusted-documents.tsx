/**
 * Lists the trusted documents of a GraphQL endpoint. `colophon documents` and the admin API add and remove them.
 */
import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin, answer, type TrustedDocument } from '../../api.ts';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { Ago } from '../../parts/time/ago.tsx';

/** The documents of an endpoint, in the order in which they were added. */
export function TrustedDocuments({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['graphql-endpoints', id, 'documents'],
    queryFn: () => answer(admin.listTrustedDocuments({ path: { id } })),
  });
  return (
    <Loaded query={query} what="trusted documents">
      {({ items }) => <DocumentTable documents={items} />}
    </Loaded>
  );
}

function DocumentTable({ documents }: { documents: readonly TrustedDocument[] }) {
  if (documents.length === 0)
    return (
      <Text size="sm">
        None. <Code>colophon documents push</Code> stores those of a client.
      </Text>
    );
  return (
    <ResourceList
      label="Trusted documents"
      columns={columns}
      rows={documents}
      idOf={({ documentId }) => documentId}
      nameOf={nameOf}
    />
  );
}

const nameOf = ({ name, documentId }: TrustedDocument) => name ?? documentId;

const columns: readonly ListColumn<TrustedDocument>[] = [
  { id: 'name', head: 'Name', value: ({ name }) => name, cell: ({ name = 'Without a name' }) => name },
  {
    id: 'document',
    head: 'Document ID',
    value: ({ documentId }) => documentId,
    cell: ({ documentId }) => <Code>{documentId}</Code>,
  },
  {
    id: 'stored',
    head: 'Stored',
    value: ({ storedAt }) => storedAt,
    cell: ({ storedAt }) => <Ago ms={storedAt} />,
  },
];
