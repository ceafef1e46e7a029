/**
 * Shows the ID and the secret of an API client once, with a command that tests them.
 */
import { useQuery } from '@tanstack/react-query';
import type { IssuedClient } from '../../api.ts';
import { serverUrl } from '../../base-path.ts';
import { useCmaUrl } from '../../parts/data/documents.ts';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { CopyField, ShownOnce } from '../../parts/layout/copy-field.tsx';
import { toCurl } from './curl.ts';

/** The dialog. It is open while there are credentials; `onClose` is called when the user has stored them. */
export function ShownCredentials({
  issued,
  onClose,
}: {
  issued: IssuedClient | undefined;
  onClose: () => void;
}) {
  return (
    <ShownOnce
      title={`Credentials of ${issued?.client.name}`}
      isOpen={issued !== undefined}
      onClose={onClose}
    >
      {issued && <Credentials issued={issued} />}
    </ShownOnce>
  );
}

function Credentials({ issued }: { issued: IssuedClient }) {
  const { client, secret } = issued;
  const endpoints = useQuery(graphqlEndpointList).data?.items ?? [];
  const endpoint = endpoints.find(({ id }) => client.endpoints?.includes(id) ?? true);
  const cmaUrl = useCmaUrl();
  const curl = toCurl(issued, { serverUrl, cmaUrl, graphqlPath: endpoint?.path });
  return (
    <>
      <CopyField label="Client ID" text={client.clientId} />
      <CopyField label="Secret" text={secret} />
      {curl !== undefined && <CopyField label="Command to try them" text={curl} />}
    </>
  );
}
