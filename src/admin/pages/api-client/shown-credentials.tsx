/**
 * Shows the ID and the secret of an API client, or a key, once, with a command that tests them.
 */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiClient, IssuedClient, IssuedKey } from '../../api.ts';
import { serverUrl } from '../../base-path.ts';
import { useCmaUrl } from '../../parts/data/documents.ts';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { CopyField, ShownOnce } from '../../parts/layout/copy-field.tsx';
import { toCurl, toKeyCurl } from './curl.ts';

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
      {issued && (
        <>
          <CopyField label="Client ID" text={issued.client.clientId} />
          <CopyField label="Secret" text={issued.secret} />
          <Command write={toCurl} issued={issued} />
        </>
      )}
    </ShownOnce>
  );
}

/** The dialog of a key; `children` stand below it. */
export function ShownKey({
  client,
  issued,
  onClose,
  children,
}: {
  client: ApiClient;
  issued: IssuedKey | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <ShownOnce title={`API key ${issued?.key.name}`} isOpen={issued !== undefined} onClose={onClose}>
      {issued && (
        <>
          <CopyField label="Key" text={issued.secret} />
          <Command write={toKeyCurl} issued={{ client, secret: issued.secret }} />
        </>
      )}
      {children}
    </ShownOnce>
  );
}

/** The command; nothing where no request is allowed. */
function Command({
  write,
  issued,
}: {
  write: typeof toCurl;
  issued: { readonly client: ApiClient; readonly secret: string };
}) {
  const graphqlEndpoints = useQuery(graphqlEndpointList).data?.items ?? [];
  const cmaUrl = useCmaUrl();
  const curl = write(issued, { serverUrl, cmaUrl, graphqlEndpoints });
  return curl && <CopyField label="Command to try it" text={curl} />;
}
