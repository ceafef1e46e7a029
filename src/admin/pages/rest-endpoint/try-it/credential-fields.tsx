/**
 * The credentials to call a route with. They are kept in the page's memory only.
 */
import { PasswordInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { Access } from '../../../api.ts';
import type { Credentials } from './request.ts';

/** The inputs that an access rule needs. */
export function CredentialFields({
  access,
  credentials,
  onChange,
}: {
  access: Access;
  credentials: Credentials;
  onChange: (credentials: Credentials) => void;
}) {
  if (access === 'ANYONE') return <Text size="sm">Anyone may call it; no credentials are sent.</Text>;
  const secret = (name: 'apiKey' | 'clientSecret', label: string) => (
    <PasswordInput
      label={label}
      value={credentials[name]}
      onChange={(event) => onChange({ ...credentials, [name]: event.currentTarget.value })}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide the ${label.toLowerCase()}` }}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: access === 'API_KEY' ? 3 : 2 }}>
      {access === 'API_KEY' && secret('apiKey', 'API key')}
      <TextInput
        label={access === 'API_KEY' ? 'or client ID' : 'Client ID'}
        value={credentials.clientId}
        onChange={(event) => onChange({ ...credentials, clientId: event.currentTarget.value })}
        autoComplete="off"
      />
      {secret('clientSecret', 'Client secret')}
    </SimpleGrid>
  );
}
