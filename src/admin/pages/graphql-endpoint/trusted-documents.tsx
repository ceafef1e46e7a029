/**
 * Lists the trusted documents of a GraphQL endpoint. `colophon documents` and the admin API add and remove them.
 */
import { Code, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin, answer, type TrustedDocument } from '../../api.ts';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { Moment } from '../../parts/time/moment.tsx';

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
    <DataTable label="Trusted documents" columns={['Name', 'Document ID', 'Stored']} maxHeight={400}>
      {documents.map(({ documentId, name = '', storedAt }) => (
        <Table.Tr key={documentId}>
          <Table.Td>{name}</Table.Td>
          <Table.Td>
            <Code>{documentId}</Code>
          </Table.Td>
          <Table.Td>
            <Moment ms={storedAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
