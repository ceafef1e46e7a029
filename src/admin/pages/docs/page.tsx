/**
 * The API reference: the OpenAPI documents of the installation, one at a time, with the guide beside them.
 */
import {
  Anchor,
  Box,
  Code,
  Flex,
  NativeSelect,
  NavLink,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import type { GraphqlEndpoint, RestEndpoint } from '../../api.ts';
import { serverUrl, toHref } from '../../base-path.ts';
import { type OpenApiDocument, openApiDocument } from '../../parts/data/documents.ts';
import { graphqlEndpointList, restEndpointList } from '../../parts/data/lists.ts';
import { Page } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Description, GuideLink } from './description.tsx';
import { documentPlaces, type GuidePlace, sectionPlaces } from './guide-places.ts';
import { OperationView } from './operation-view.tsx';
import { type ReferenceSection, readDocument, type SecurityScheme } from './read-document.ts';

export default function DocsPage() {
  const { id = 'cma' } = useParams();
  const rest = useQuery(restEndpointList);
  const graphql = useQuery(graphqlEndpointList);
  const document = useQuery(openApiDocument(id));
  const isRest = id !== 'cma' && id !== 'admin';
  return (
    <Page title={titleOf(id, rest.data?.items ?? [])}>
      <ProblemAlert
        error={rest.error ?? graphql.error}
        title="The endpoints could not be loaded"
        onRetry={() => Promise.all([rest.refetch(), graphql.refetch()])}
      />
      <Flex direction={{ base: 'column', md: 'row' }} gap="lg">
        <DocumentMenu current={id} rest={rest.data?.items ?? []} graphql={graphql.data?.items ?? []} />
        <Box flex={1} miw={0}>
          <Loaded query={document} what="document">
            {(data) => (
              <DocumentView
                key={id}
                document={data}
                place={documentPlaces[isRest ? 'rest' : id]}
                href={serverUrl + documentPath(id)}
                tryIt={
                  isRest ? { to: `/admin/rest-endpoints/${id}`, label: 'Try its routes' } : tryPlaces[id]
                }
              />
            )}
          </Loaded>
        </Box>
      </Flex>
    </Page>
  );
}

/** The name of the API. */
function titleOf(id: string, rest: readonly RestEndpoint[]): string {
  const name = rest.find((endpoint) => endpoint.id === id)?.published?.definition.name;
  return name ?? apis.find(({ to }) => to === toPath(id))?.label ?? 'Reference';
}

const toPath = (id: string) => (id === 'cma' ? '/docs' : `/docs/${id}`);

/** Where requests are tried. */
const tryPlaces: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  cma: { to: '/admin/predicates', label: 'Try queries' },
};

function documentPath(id: string): string {
  if (id === 'admin') return '/api/admin/openapi.json';
  return id === 'cma' ? '/api/admin/cma/openapi.json' : `/api/admin/rest-endpoints/${id}/openapi.json`;
}

/** The document; `place` is where the guide explains it, `href` the address of its JSON, and `tryIt` the page that sends requests. */
function DocumentView({
  document,
  place,
  href,
  tryIt,
}: {
  document: OpenApiDocument;
  place: GuidePlace;
  href: string;
  tryIt: { readonly to: string; readonly label: string } | undefined;
}) {
  const { title, version, description, schemes, sections } = useMemo(
    () => readDocument(document),
    [document],
  );
  const [words, setWords] = useState('');
  const { open, toggle } = useOpenOperations();
  const count = sections.reduce((sum, { operations }) => sum + operations.length, 0);
  const shown = sections.map((section) => withWords(section, words)).filter(hasOperations);
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <VisuallyHidden component="h2">{title}</VisuallyHidden>
        <Text size="sm">
          Version {version} ·{' '}
          <Anchor href={href} inherit underline="always">
            OpenAPI document
          </Anchor>{' '}
          · Guide: <GuideLink place={place} />
          {tryIt && (
            <>
              {' '}
              ·{' '}
              <Anchor component={Link} to={tryIt.to} inherit underline="always">
                {tryIt.label}
              </Anchor>
            </>
          )}
        </Text>
        <Description text={description} />
      </Stack>
      {count >= manyOperations && (
        <TextInput
          label="Find an operation"
          maw={420}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {schemes.length > 0 && words === '' && <Schemes schemes={schemes} />}
      {shown.length === 0 && <Text size="sm">No operation has these words.</Text>}
      {shown.map((section) => {
        const guide = sectionPlaces[section.name];
        return (
          <Stack key={section.name} gap="xs" component="section" aria-label={section.name || 'Operations'}>
            <Title order={3} size="h4">
              {section.name || 'Operations'}
            </Title>
            <Description text={section.description} />
            {guide && (
              <Text size="sm">
                Guide: <GuideLink place={guide} />
              </Text>
            )}
            {section.operations.map((operation) => (
              <OperationView
                key={operation.id}
                document={document}
                operation={operation}
                isOpen={open.has(operation.id)}
                onToggle={() => toggle(operation.id)}
              />
            ))}
          </Stack>
        );
      })}
    </Stack>
  );
}

function Schemes({ schemes }: { schemes: readonly SecurityScheme[] }) {
  return (
    <Stack gap="xs" component="section" aria-label="Authentication">
      <Title order={3} size="h4">
        Authentication
      </Title>
      {schemes.map(({ name, place, description }) => (
        <div key={name}>
          <Code>{place}</Code>
          <Description text={description} />
        </div>
      ))}
    </Stack>
  );
}

const hasOperations = ({ operations }: ReferenceSection) => operations.length > 0;

/** The section with the operations that have all of the words. */
function withWords(section: ReferenceSection, words: string): ReferenceSection {
  const wanted = words.toLowerCase().split(/\s+/);
  const operations = section.operations.filter(({ id, method, path, summary, description }) => {
    const text = `${id} ${method} ${path} ${summary} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return { ...section, operations };
}

/** What the address keeps of a click, after which the page stays where it is. */
const clicked = { isClicked: true };

/** The IDs of the open operations, and how to open or close one. */
function useOpenOperations(): { open: ReadonlySet<string>; toggle: (id: string) => void } {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const named = decodeURIComponent(hash.slice(1));
  const [last, setLast] = useState(named);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([named]));
  if (named !== last) {
    setLast(named);
    setOpen(new Set([...open, named]));
  }
  const isClicked = state?.isClicked === true;
  useEffect(() => {
    if (!isClicked) document.getElementById(named)?.scrollIntoView();
  }, [named, isClicked]);
  const toggle = (id: string) => {
    const isOpen = open.has(id);
    setOpen(new Set(isOpen ? [...open].filter((one) => one !== id) : [...open, id]));
    navigate({ hash: isOpen ? '' : encodeURIComponent(id) }, { replace: true, state: clicked });
  };
  return { open, toggle };
}

interface Entry {
  readonly to: string;
  readonly label: string;
}

/** The menu; `current` is the ID of the document that is shown. Small screens have a list to choose from. */
function DocumentMenu({
  current,
  rest,
  graphql,
}: {
  current: string;
  rest: readonly RestEndpoint[];
  graphql: readonly GraphqlEndpoint[];
}) {
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const published = rest.flatMap(({ id, published }) =>
    published ? [{ to: `/docs/${id}`, label: published.definition.name }] : [],
  );
  const endpoints = graphql.map(({ id, name }) => ({ to: `/admin/explorer?endpoint=${id}`, label: name }));
  const groups = [
    { group: 'APIs', entries: apis },
    { group: 'REST endpoints', entries: byName(published) },
    { group: 'GraphQL endpoints', entries: byName(endpoints) },
  ];
  const isLong = published.length + endpoints.length >= manyEntries;
  const found = groups.map(({ group, entries }) => ({
    group,
    entries: entries.filter(({ label }) => label.toLowerCase().includes(words.trim().toLowerCase())),
  }));
  const chosen = toPath(current);
  const isKnown = [...apis, ...published].some(({ to }) => to === chosen);
  return (
    <>
      <NativeSelect
        hiddenFrom="md"
        label="API"
        value={chosen}
        onChange={(event) => navigate(event.currentTarget.value)}
        data={[
          ...(isKnown ? [] : [{ value: chosen, label: 'None', disabled: true }]),
          ...groups.map(({ group, entries }) => ({
            group,
            items:
              entries.length > 0 ? entries.map(toItem) : [{ value: group, label: 'None', disabled: true }],
          })),
        ]}
      />
      <Box component="nav" aria-label="Reference" visibleFrom="md" w={220} flex="none">
        {isLong && (
          <TextInput
            size="sm"
            mb="sm"
            aria-label="Find an API"
            placeholder="Find"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        {found.map(({ group, entries }) => (
          <Box key={group} mb="sm">
            <Text size="xs" fw={600} c="dimmed" px="xs" py={4}>
              {group}
            </Text>
            {entries.length === 0 && (
              <Text size="sm" px="xs">
                {words !== '' || group !== 'REST endpoints' ? 'None' : 'None published yet'}
              </Text>
            )}
            {entries.map(({ to, label }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                active={to === chosen}
                aria-current={to === chosen ? 'page' : undefined}
                variant="light"
                {...compact}
              />
            ))}
          </Box>
        ))}
        <NavLink component="a" href={toHref('/docs/guide')} label="The guide" variant="light" {...compact} />
      </Box>
    </>
  );
}

/** From how many operations on there is a box that finds some of them. */
const manyOperations = 8;

/** From how many endpoints on there is a box that finds some of them. */
const manyEntries = 12;

const byName = (entries: readonly Entry[]) =>
  entries.toSorted((one, other) => one.label.localeCompare(other.label));

/** The size of the links of the navigation. */
const compact = { px: 'xs', py: 4, bdrs: 'md' } as const;

const apis: readonly Entry[] = [
  { to: '/docs', label: 'Content management API' },
  { to: '/docs/admin', label: 'Admin API' },
];

const toItem = ({ to, label }: Entry) => ({ value: to, label });
