/**
 * The way from a new installation to a front end that reads it: what is there, and what comes next. Once all is there, it is gone.
 */
import { Anchor, Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { browserValues } from '../../kept-values.ts';
import { typeList, typeNames } from '../../parts/data/lists.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Section } from '../../parts/layout/page.tsx';
import { apiClientPage, graphqlEndpointPage, restEndpointPage } from '../endpoints/endpoint-lists.ts';
import classes from './cards.module.css';
import { activity } from './home-data.ts';

/** A step: where one takes it and how; `found` is what is there once it is taken. */
interface Step {
  readonly title: string;
  readonly to: string;
  readonly advice: string;
  readonly found: string | false;
}

const key = 'colophon.set-up';
const first = { search: '', offset: 0 };

/** The card, for those who set up an installation. The browser keeps that all was there once, and nothing is read again. */
export function SetUp() {
  return browserValues.get(key) === undefined && <Steps />;
}

function Steps() {
  const steps = useSteps();
  const next = steps?.find(({ found }) => found === false);
  const isWhole = steps !== undefined && next === undefined;
  useEffect(() => {
    if (isWhole) browserValues.set(key, 'done');
  }, [isWhole]);
  if (!steps || isWhole) return null;
  return (
    <Section title="Set up">
      <ol className={`${classes.cards} ${classes.card}`}>
        {steps.map((step) => (
          <Group key={step.title} component="li" gap="xs">
            <Box w={64}>
              {step.found !== false && <Mark color="green">Done</Mark>}
              {step === next && <Mark color="blue">Next</Mark>}
            </Box>
            <Anchor component={Link} to={step.to} c="inherit" size="sm" fw={500}>
              {step.title}
            </Anchor>
            <Text size="xs" c="dimmed">
              {step.found === false ? step.advice : step.found}
            </Text>
          </Group>
        ))}
      </ol>
    </Section>
  );
}

/** The steps in their order; undefined until all is known. */
function useSteps(): readonly Step[] | undefined {
  const types = useQuery(typeNames).data?.items.filter(({ kind }) => kind === 'object');
  // Assets that nobody has changed for long are counted.
  const [mine, others] = [useQuery(activity('me')), useQuery(activity('others'))];
  const isChanged = [mine, others].some(({ data }) => data !== undefined && data.items.length > 0);
  const isQuiet = !mine.isPending && !others.isPending && !isChanged;
  const counted = useQuery({ ...typeList, enabled: isQuiet }).data?.items;
  const hasContent = isChanged || counted?.some(({ count = 0 }) => count > 0);
  const graphql = useQuery(graphqlEndpointPage(first)).data;
  const rest = useQuery(restEndpointPage({ ...first, state: undefined, sort: 'requests' })).data;
  const clients = useQuery(apiClientPage(first, false)).data;
  if (!types || hasContent === undefined || !graphql || !rest || !clients) return undefined;
  // The first start makes a client without keys; a public endpoint needs none.
  const isRead =
    clients.count > 1 ||
    clients.items.some(({ keys }) => keys > 0) ||
    rest.items.some(({ requests }) => requests > 0);
  return [
    {
      title: 'Content types',
      to: '/admin/types',
      advice: 'Write them into the SDL folder, and restart the server.',
      found: types.length > 0 && countOf(types.length, 'type'),
    },
    {
      title: 'First asset',
      to: '/admin/content',
      advice: 'Choose a type, and create one.',
      found: hasContent && 'There is content.',
    },
    {
      title: 'Endpoint',
      to: rest.count > 0 ? '/admin/endpoints' : '/admin/rest-endpoints/new',
      advice: 'Create a REST endpoint: routes that serve the content to programs.',
      found:
        rest.count > 0 &&
        `${countOf(rest.count, 'REST endpoint')}, ${countOf(graphql.count, 'GraphQL endpoint')}`,
    },
    {
      title: 'Front end',
      to: isRead ? '/admin/endpoints' : '/admin/api-clients/new',
      advice: 'Create an API client, and give a front end its key.',
      found: isRead && countOf(clients.count, 'API client'),
    },
  ];
}
