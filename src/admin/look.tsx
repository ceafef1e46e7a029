/**
 * Shows the look on one page, look.html of the development server: what README.md describes, drawn by the parts that pages use. The build
 * leaves it out.
 */
import './parts/layout/mantine.css';
import '@fontsource-variable/inter/wght.css';
import './parts/layout/base.css';
import {
  Box,
  Button,
  Code,
  Container,
  Group,
  MantineProvider,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { FormBar } from './parts/forms/form-bar.tsx';
import * as icons from './parts/layout/icons.ts';
import { Mark } from './parts/layout/mark.tsx';
import { EmptyState, Section } from './parts/layout/page.tsx';
import { readableColors, theme } from './parts/layout/theme.ts';
import { type ListColumn, ResourceList } from './parts/list/resource-list.tsx';

const textSizes = ['xs', 'sm', 'md'] as const;
const spaces = ['xs', 'sm', 'md', 'lg', 'xl'] as const;
const marks = [
  ['green', 'Published', 'published, active, done'],
  ['gray', 'Draft', 'drafts, off, unknown'],
  ['orange', 'Public writes', 'needs attention, unsaved'],
  ['red', 'Deleted', 'cannot be undone, wrong'],
  ['violet', 'In a release', 'the release that the user works in'],
] as const;

const roleColumns: readonly ListColumn<(typeof marks)[number]>[] = [
  { id: 'role', head: 'Role', value: ([, , role]) => role, cell: ([, , role]) => role },
  { id: 'state', head: 'State', cell: ([color, word]) => <Mark color={color}>{word}</Mark> },
  {
    id: 'length',
    head: 'Length',
    isFigure: true,
    value: ([, , role]) => role.length,
    cell: ([, , role]) => role.length,
  },
];

function Look() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Container py="md">
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1}>The look</Title>
          <SegmentedControl
            aria-label="Colours"
            value={colorScheme}
            // Safe: the values of the choices below.
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={['auto', 'light', 'dark']}
          />
        </Group>
        <Section title="Type">
          {([1, 2, 3, 4] as const).map((order) => (
            <Title key={order} order={order}>
              Heading h{order}
            </Title>
          ))}
          {textSizes.map((size) => (
            <Text key={size} size={size}>
              Text {size}. <Text span inherit c="dimmed" children="Secondary text." /> <Code>Code</Code>
            </Text>
          ))}
        </Section>
        <Section title="Space">
          {spaces.map((space) => (
            <Group key={space} gap="xs">
              <Box h="sm" bg="indigo" w={`var(--mantine-spacing-${space})`} />
              <Text size="sm">{space}</Text>
            </Group>
          ))}
        </Section>
        <Section title="Rows, marks and roles of colours">
          <ResourceList
            label="Roles"
            columns={roleColumns}
            rows={marks}
            idOf={([color]) => color}
            nameOf={([color]) => color}
            selection={{ has: (id) => id === 'orange', set: () => undefined }}
            menuOf={() => [
              { label: 'Duplicate', run: () => undefined },
              { label: 'Delete…', run: () => undefined, isDanger: true },
            ]}
          />
        </Section>
        <Section title="Form">
          <FormBar
            state={
              <>
                <Mark color="green">Live</Mark>
                <Text size="sm">1 field changed</Text>
              </>
            }
            problems={null}
          >
            <Button variant="default">Discard</Button>
            <Button disabled>Save draft</Button>
            <Button>Publish</Button>
            <Button color="red" variant="outline">
              Delete
            </Button>
          </FormBar>
          <Stack gap="md" mt="md">
            <TextInput label="Title" description="Help stands under its field." required />
            <TextInput label="Slug" error="Slug is required." required />
          </Stack>
        </Section>
        <Section title="Empty list">
          <EmptyState title="Nothing matches">What to do next.</EmptyState>
        </Section>
        <Section title="Icons">
          <Group gap="sm">
            {Object.entries(icons).map(([name, Icon]) => (
              <Group key={name} gap={4} w={180}>
                <Icon size={16} />
                <Text size="sm">{name}</Text>
              </Group>
            ))}
          </Group>
        </Section>
      </Stack>
    </Container>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element "root"');
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
    <MemoryRouter>
      <Look />
    </MemoryRouter>
  </MantineProvider>,
);
