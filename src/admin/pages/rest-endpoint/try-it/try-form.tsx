/**
 * The form that puts a request together, shows it as one types, and sends it.
 */
import { Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { MappingMethod } from '../../../api.ts';
import { serverUrl } from '../../../base-path.ts';
import { useAction } from '../../../parts/forms/use-action.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import type { Published, PublishedRoute } from '../mappings/published.ts';
import { CredentialFields } from './credential-fields.tsx';
import { createRequest, credentialHeaders, findUnreported, toCurl } from './request.ts';
import { ResponseView } from './response-view.tsx';
import { sendRequest } from './send-request.ts';
import { VariableField } from './variable-field.tsx';
import { readInputs } from './variable-inputs.ts';

/** The form for one route. */
export function TryForm({ published, route }: { published: Published; route: PublishedRoute }) {
  const { access, syntax, credentials, setCredentials } = published;
  const { path, methods, inputs = [] } = route;
  const [method, setMethod] = useState<MappingMethod>(methods[0] ?? 'GET');
  const [place, setPlace] = useState<'query' | 'body'>(method === 'GET' ? 'query' : 'body');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setIsTried] = useState(false);
  const { run, data: answer, isPending, error } = useAction(sendRequest);

  const inBody = method !== 'GET' && place === 'body';
  const isSlash = syntax === 'slash' && !inBody;
  const read = readInputs(inputs, typed, { anyAsText: isSlash });
  const problems = { ...read.problems, ...(isSlash ? findUnreported(read.values) : {}) };
  const headers = credentialHeaders(access, credentials);
  const request = createRequest({ method, path, values: read.values, inBody, syntax, headers });

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (Object.keys(problems).length === 0) run(request);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Group align="flex-end">
          <NativeSelect
            label="Method"
            value={method}
            data={[...methods]}
            onChange={(event) => setMethod(event.currentTarget.value as MappingMethod)}
          />
          {method !== 'GET' && (
            <SegmentedControl
              aria-label="Send variables in"
              value={place}
              onChange={setPlace}
              data={[
                { value: 'body', label: 'JSON body' },
                { value: 'query', label: 'Query string' },
              ]}
            />
          )}
        </Group>
        {route.inputs === undefined && <Text size="sm">The variables of this route are not known.</Text>}
        {route.inputs?.length === 0 && <Text size="sm">This route takes no variables.</Text>}
        {inputs.map((input) => (
          <VariableField
            key={input.name}
            input={input}
            text={typed[input.name] ?? ''}
            onChange={(text) => setTyped({ ...typed, [input.name]: text })}
            error={isTried || typed[input.name] ? problems[input.name] : undefined}
          />
        ))}
        <CredentialFields access={access} credentials={credentials} onChange={setCredentials} />
        <CopyField label="URL" text={serverUrl + request.url} />
        <CopyField label="curl line" text={toCurl(request, serverUrl)} />
        <Group>
          <Button type="submit" loading={isPending}>
            Send
          </Button>
        </Group>
        <ProblemAlert error={error} title="No response" />
        {answer && <ResponseView answer={answer} />}
      </Stack>
    </form>
  );
}
