/**
 * Asks for the REST endpoint and the name of a new mapping, and opens that endpoint's form with the mapping added. Nothing is
 * saved here; the form validates the mapping.
 */
import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { MappingMethod, RestEndpoint } from '../../api.ts';
import { TextDialog } from '../../parts/confirm/dialog.tsx';
import { restEndpointList } from '../../parts/data/lists.ts';
import { handOverMapping } from '../../parts/endpoints/mapping-handover.ts';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { type MappableOperation, readOperation } from './read-operation.ts';

/** What is in the editors. */
interface Written {
  readonly query: string;
  /** The JSON of the variables. */
  readonly variables: string;
}

/** The dialog; open while something is `written`. `source` is the ID of the GraphQL endpoint that the query runs on. */
export function MappingDialog({
  source,
  written,
  onClose,
}: {
  source: string;
  written: Written | undefined;
  onClose: () => void;
}) {
  return (
    <TextDialog opened={written !== undefined} onClose={onClose} title="REST mapping">
      {written && <MappingOfQuery source={source} {...written} />}
    </TextDialog>
  );
}

function MappingOfQuery({ query, ...rest }: Written & { source: string }) {
  const operation = readOperation(query);
  if (!('problem' in operation)) return <MappingForm {...rest} query={query} operation={operation} />;
  return (
    <Alert variant="light" title="This cannot be mapped yet" role="alert">
      {operation.problem}
    </Alert>
  );
}

function MappingForm({
  source,
  query,
  variables,
  operation,
}: Written & {
  source: string;
  operation: MappableOperation;
}) {
  const navigate = useNavigate();
  const { data, error } = useQuery(restEndpointList);
  const [methods, setMethods] = useState<MappingMethod[]>([operation.kind === 'query' ? 'GET' : 'POST']);

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const examples = readExamples(variables);
    const mapping = {
      name: String(form.get('name')),
      path: String(form.get('path')),
      methods,
      query,
      examples,
    };
    handOverMapping({ source, mapping });
    navigate(`/admin/rest-endpoints/${form.get('endpoint')}`);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={error} title="The REST endpoints could not be loaded" />
        <NativeSelect
          label="REST endpoint"
          name="endpoint"
          data={toChoices(data?.items ?? [], source)}
          data-autofocus
        />
        <TextInput label="Name" name="name" defaultValue={operation.name} required maxLength={100} />
        <TextInput label="Path after the prefix" name="path" defaultValue={operation.path} maxLength={500} />
        <Checkbox.Group
          label="Methods"
          value={methods}
          onChange={setMethods}
          error={methods.length === 0 && 'Choose at least one'}
        >
          <Group mt={4}>
            {allMethods.map((method) => (
              <Checkbox key={method} value={method} label={method} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button type="submit" disabled={methods.length === 0}>
            Go to the REST endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns the values of variables; none where the text is no JSON object. */
function readExamples(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

const allMethods: readonly MappingMethod[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** A new one, then those that run on the same GraphQL endpoint, then the others. */
function toChoices(endpoints: readonly RestEndpoint[], source: string) {
  const choices = (isSame: boolean) =>
    endpoints
      .filter(({ draft }) => (draft.source === source) === isSame)
      .map(({ id, draft }) => ({ value: id, label: `${draft.name} (${draft.pathPrefix})` }));
  return [
    { value: 'new', label: 'A new REST endpoint' },
    { group: 'On this GraphQL endpoint', items: choices(true) },
    { group: 'On other GraphQL endpoints', items: choices(false) },
  ].filter((choice) => choice.items?.length !== 0);
}
