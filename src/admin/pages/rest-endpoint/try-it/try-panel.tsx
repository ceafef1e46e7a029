/**
 * A place to try a mapping: the form's draft as it stands, and the published route as its callers do.
 */
import { Alert, SegmentedControl, Stack, Text } from '@mantine/core';
import { useContext, useState } from 'react';
import type { CheckedMapping } from '../../../api.ts';
import { useSession } from '../../../session.ts';
import { defaultPath, type MappingDraft, prefixOf } from '../editor/draft.ts';
import { TryContext, type TryContextValue } from './try-context.ts';
import { TryForm } from './try-form.tsx';
import { type TryTarget, toTarget } from './try-target.ts';

/** The form, and the choice between draft and published version where they may differ. */
export function TryPanel({
  mapping,
  checked,
}: {
  mapping: MappingDraft;
  checked: CheckedMapping | undefined;
}) {
  const context = useContext(TryContext);
  const userId = useSession()?.user.id ?? '';
  const [wanted, setWanted] = useState<'draft' | 'published'>('draft');
  if (!context) return null;
  const { endpointId, published } = context;
  const route = published?.routes.get(mapping.name);
  const draft =
    published && route && !published.isFormAhead ? undefined : toDraftTarget(context, mapping, checked);
  const target = route && (wanted === 'published' || !draft) ? route : draft;
  if (!target) return null;
  const keepAs =
    endpointId !== undefined && mapping.name !== ''
      ? `colophon.try.${userId}.${endpointId}.${mapping.name}`
      : undefined;
  return (
    <Stack maw={720}>
      {draft && published && route && (
        <SegmentedControl
          aria-label="What to try"
          value={wanted}
          onChange={setWanted}
          data={[
            { value: 'draft', label: 'Draft as it stands' },
            { value: 'published', label: `Published version ${published.number}` },
          ]}
        />
      )}
      {!target.isPublished && <Problems target={target} />}
      <TryForm key={keepAs} target={target} context={context} keepAs={keepAs} examples={mapping.examples} />
    </Stack>
  );
}

function toDraftTarget(
  { draft }: TryContextValue,
  mapping: MappingDraft,
  checked: CheckedMapping | undefined,
): TryTarget {
  const { path = checked?.path ?? defaultPath(mapping.name), methods = checked?.methods } = mapping;
  return toTarget({
    settings: { ...draft, pathPrefix: prefixOf(draft) },
    mapping: { ...mapping, path, methods },
    checked,
    isPublished: false,
  });
}

/** What a draft needs before it can run. */
function Problems({ target: { source, query, inputs } }: { target: TryTarget }) {
  const need =
    (source === '' && 'Choose the source endpoint in the settings.') ||
    (query.trim() === '' && 'Write the query of the mapping.') ||
    (inputs === undefined && 'The query has problems, which its definition lists, or is being checked.');
  if (!need) return <Text size="sm">Runs the form as it stands. Nothing has to be saved or published.</Text>;
  return (
    <Alert color="orange" variant="light" title="The draft cannot run yet">
      {need}
    </Alert>
  );
}
