/**
 * The scopes of an API client, each with a sentence that explains it.
 */
import { Checkbox, Stack } from '@mantine/core';
import type { Scope } from '../../api.ts';
import type { Form } from '../../parts/forms/use-form.ts';
import { useMay } from '../../roles.ts';
import type { ClientFields } from './client-data.ts';

const meanings: Readonly<Record<Scope, string>> = {
  'cma:read': 'Reads content through the content management API.',
  'cma:write': 'Creates, changes and deletes content through the content management API.',
  history: 'Reads past states of content, and with cma:write restores them.',
  graphql: 'Uses GraphQL endpoints, and the REST endpoints mapped onto them.',
  metrics: 'Reads the metrics of the server at /metrics.',
  admin: 'Manages everything in this UI, through the admin API.',
};

const scopes: readonly Scope[] = ['cma:read', 'cma:write', 'history', 'graphql', 'metrics', 'admin'];

/** Checkboxes. `admin` excludes restrictions, since such a client could remove them itself. */
export function ScopeChoice({ form }: { form: Form<ClientFields> }) {
  const { fields, change, errorOf } = form;
  const isHeld = fields.sites.length > 0 || fields.endpoints.length > 0;
  const mayGiveAdmin = useMay('admin');
  const isBarred = (scope: Scope) =>
    scope === 'admin' && (isHeld || !mayGiveAdmin) && !fields.scopes.includes(scope);
  const toMeaning = (scope: Scope) =>
    !isBarred(scope)
      ? meanings[scope]
      : `${meanings[scope]} ${mayGiveAdmin ? 'Not for a client restricted to certain sites or endpoints.' : 'Only a user with the role admin can give it.'}`;
  return (
    <Checkbox.Group
      label="Scopes"
      required
      value={[...fields.scopes]}
      onChange={(chosen) => change({ scopes: chosen })}
      error={errorOf('scopes')}
      data-path="scopes"
    >
      <Stack gap="xs" my={4}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={scope}
            description={toMeaning(scope)}
            disabled={isBarred(scope)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
