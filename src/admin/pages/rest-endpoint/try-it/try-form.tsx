/**
 * The form that puts a request together, shows it as one types, and sends it. The browser keeps its values for the next time.
 */
import {
  Alert,
  Button,
  Code,
  Group,
  PasswordInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type SyntheticEvent, useContext, useState } from 'react';
import type { Access, CheckedMapping } from '../../../api.ts';
import { serverUrl } from '../../../base-path.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { useAction } from '../../../parts/forms/busy-button.tsx';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { useSession } from '../../../session.ts';
import { defaultPath, type MappingDraft, prefixOf } from '../editor/draft.ts';
import { keepValues, noValues, readValues, type TriedValues } from './remembered-values.ts';
import {
  type Credentials,
  createRequest,
  credentialHeaders,
  findUnreachable,
  findUnreported,
  readHeaders,
  toCurl,
} from './request.ts';
import { type RouteResponse, send } from './send-request.ts';
import { chooseFor, TryChoices, VariableField } from './try-choices.tsx';
import { TryContext, type TryContextValue } from './try-context.ts';
import { type TryTarget, toTarget } from './try-target.ts';
import { readInputs, toText } from './variable-inputs.ts';

/** The form for one mapping; `keepAs` is the key under which the browser keeps its values, `examples` are values to begin with. */
function TryForm({
  target,
  context: { published, credentials, setCredentials },
  keepAs,
  examples: given = {},
}: {
  target: TryTarget;
  context: TryContextValue;
  keepAs: string | undefined;
  examples: Readonly<Record<string, unknown>> | undefined;
}) {
  const { path, syntax, inputs = [] } = target;
  const [values, setValues] = useState(() => readValues(keepAs));
  const [examples, setExamples] = useState(given);
  const [isTried, setIsTried] = useState(false);
  const { run, data: answer, variables: sent, isPending, error, reset } = useAction(send);
  const change = (changes: Partial<TriedValues>) => {
    const changed = { ...values, ...changes };
    setValues(changed);
    keepValues(keepAs, changed);
  };

  const access = published?.access ?? 'CLIENT_CREDENTIALS';
  const choices = chooseFor(target, values);
  const { method, sender } = choices;
  const isCaller = sender === 'caller';
  const inBody = choices.place === 'body';
  const isSlash = syntax === 'slash' && !inBody;
  const reading = { anyAsText: isSlash };
  const texts = Object.fromEntries(
    inputs.map((input) => {
      const { name } = input;
      return [name, values.variables[name] ?? toText(examples[name], input, reading)];
    }),
  );
  const read = readInputs(inputs, texts, reading);
  const problems = {
    ...findUnreachable(path, read.values),
    ...(isSlash ? findUnreported(read.values) : {}),
    ...read.problems,
  };
  const typedHeaders = readHeaders(isCaller ? values.headers : '');
  const headers = isCaller ? { ...credentialHeaders(access, credentials), ...typedHeaders.headers } : {};
  const request = createRequest({ method, path, values: read.values, inBody, syntax, headers });
  const isReady = Object.keys(problems).length === 0 && !typedHeaders.problem;

  // What another choice has brought is not the outcome of this one.
  const isOfThis = sent?.sender === sender && sent.target.isPublished === target.isPublished;

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isReady && (target.isPublished || target.inputs)) run({ sender, target, request });
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Try it">
      <Stack>
        <TryChoices target={target} choices={choices} onChange={change} />
        {target.isPublished && !target.inputs && (
          <Text size="sm">The variables of this route are not known.</Text>
        )}
        {target.inputs?.length === 0 && <Text size="sm">This route takes no variables.</Text>}
        {inputs.map((input) => (
          <VariableField
            key={input.name}
            input={input}
            text={texts[input.name] ?? ''}
            onChange={(text) => change({ variables: { ...values.variables, [input.name]: text } })}
            error={isTried || texts[input.name] ? problems[input.name] : undefined}
          />
        ))}
        {isCaller && (
          <>
            <Textarea
              label="Headers"
              description="One in each line, such as If-None-Match: *"
              value={values.headers}
              onChange={(event) => change({ headers: event.currentTarget.value })}
              error={typedHeaders.problem}
              autosize
              minRows={1}
              maxRows={8}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
            <CredentialFields access={access} credentials={credentials} onChange={setCredentials} />
          </>
        )}
        <CopyField
          label={target.isPublished ? 'URL' : 'URL after publishing'}
          text={serverUrl + request.url}
        />
        {isCaller && <CopyField label="curl line" text={toCurl(request, serverUrl)} />}
        <Group>
          <Button
            type="submit"
            loading={isPending}
            {...(isCaller ? {} : { color: administratorColor })}
            disabled={!target.isPublished && !target.inputs}
          >
            {isCaller ? 'Send' : 'Send as administrator'}
          </Button>
          <Button
            variant="subtle"
            onClick={() => {
              change(noValues);
              setExamples({});
              setIsTried(false);
              reset();
            }}
          >
            Clear values
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          This browser keeps the values for the next time, except credentials and what may be secret.
        </Text>
        {isOfThis && (
          <ProblemAlert error={error} title={isCaller ? 'No response' : 'The mapping did not run'} />
        )}
        {isOfThis && answer && <ResponseView answer={answer} />}
      </Stack>
    </form>
  );
}

/** An orange on which white is readable in light and dark. */
const administratorColor = '#a8410b';

/** The inputs that an access rule needs. */
function CredentialFields({
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

/** As much text as a browser lays out at once without delay. */
const maxShown = 200_000;

/** Status, time, headers and body; a screen reader hears of the first two at once. */
function ResponseView({ answer: { sender, status, reason, ms, headers, text } }: { answer: RouteResponse }) {
  return (
    <Stack gap="xs">
      <Group gap="md" role="status">
        <Text fw={600} c={status < 400 ? 'light-dark(#1e6b2d, #7ddba6)' : 'light-dark(#a11220, #ff9e94)'}>
          {status} {reason}
        </Text>
        <Text size="sm">{ms} ms</Text>
        {sender === 'administrator' && <Mark color="orange">Ran as administrator</Mark>}
      </Group>
      {headers.length > 0 && <Headers headers={headers} />}
      {text !== '' && (
        <Code block tabIndex={0} role="region" aria-label="Answer" mah={480}>
          {text.slice(0, maxShown)}
        </Code>
      )}
      {text.length > maxShown && (
        <Text size="sm">
          Only the first {formatNumber(maxShown)} of {formatNumber(text.length)} characters are shown.
        </Text>
      )}
    </Stack>
  );
}

function Headers({ headers }: Pick<RouteResponse, 'headers'>) {
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table aria-label="Response headers" withRowBorders={false} verticalSpacing={2} w="auto">
        <Table.Tbody>
          {headers.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>
                <Code>{value}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

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
