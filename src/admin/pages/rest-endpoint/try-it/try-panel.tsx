/**
 * A place to call a published mapping as its callers do.
 */
import { Alert, Text } from '@mantine/core';
import { useContext } from 'react';
import { type Published, PublishedContext } from '../mappings/published.ts';
import { TryForm } from './try-form.tsx';

/** The form, or why there is nothing to call. */
export function TryPanel({ name }: { name: string }) {
  const published = useContext(PublishedContext);
  if (!published)
    return <Text size="sm">This endpoint is not published yet. Publish it to try it here.</Text>;
  const route = published.routes.get(name);
  if (!route) {
    return (
      <Text size="sm">No published mapping has this name. Save and publish the endpoint to try it here.</Text>
    );
  }
  return (
    <>
      <Ahead published={published} />
      <TryForm
        key={`${published.number} ${route.inputs === undefined}`}
        published={published}
        route={route}
      />
    </>
  );
}

function Ahead({ published: { isFormAhead, number } }: { published: Published }) {
  if (!isFormAhead) return null;
  return (
    <Alert color="blue" mb="md" title={`This calls the published version ${number}`}>
      The form has changes that are not published. Publish them to try them.
    </Alert>
  );
}
