/**
 * The page of a content type, for those who write SDL and those who do not: what it is, its fields, its references, who uses it.
 */
import { Accordion, Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { parse } from 'graphql';
import { Link, type Params, useParams } from 'react-router';
import { admin, answer, type ContentType, type Field, type TypeSource } from '../../../api.ts';
import { describeChanges, describeKind, describeRules } from '../../../parts/data/describe-field.ts';
import { fullLabelOf, isSystemField, labelOfPath, nameOfType } from '../../../parts/data/field-label.ts';
import { contentType, typeNames, typeSources, useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfType } from '../../../parts/data/load-titles.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { pathOfUnfit, unfitReport } from '../../../parts/data/unfit.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { type Fact, FactTable } from '../../../parts/layout/fact-table.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Loaded, Together } from '../../../parts/loading/loading.tsx';
import { useMayOpen } from '../../../roles.ts';
import { TypeLinks, TypeReferences, TypeUses } from './references.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = ({ type }: Readonly<Params>) =>
  type === undefined ? [] : [contentType(type), typeNames];

export default function TypePage() {
  const { type: name = '' } = useParams();
  const query = useQuery(contentType(name));
  const mayOpenTypes = useMayOpen('/admin/types');
  return (
    <Page
      title={query.data ? nameOfType(query.data) : name}
      back={
        mayOpenTypes
          ? { to: '/admin/types', label: 'Content types' }
          : { to: '/admin/content', label: 'Content' }
      }
      actions={
        query.data && (
          <Button component={Link} to={pathOfType(query.data.class)}>
            Show the assets
          </Button>
        )
      }
    >
      <Loaded query={query} what={name}>
        {(type) => (
          <Together key={type.class}>
            <Parts
              parts={[
                ['fields', 'Fields'],
                ['references', 'References'],
                ...(mayOpenTypes
                  ? ([
                      ['uses', 'Used by'],
                      ['sdl', 'SDL'],
                    ] as const)
                  : []),
              ]}
            />
            <Facts type={type} />
            <TypeFields type={type} />
            <TypeReferences type={type} />
            {mayOpenTypes && <TypeUses type={type} />}
            {mayOpenTypes && <TypeSdl type={type} />}
          </Together>
        )}
      </Loaded>
    </Page>
  );
}

/** The menu of the parts of the page. */
function Parts({ parts }: { parts: readonly (readonly [id: string, title: string])[] }) {
  return (
    <Group component="nav" aria-label="Parts of the page" gap="md">
      {parts.map(([id, title]) => (
        <Anchor key={id} href={`#${id}`} size="sm">
          {title}
        </Anchor>
      ))}
    </Group>
  );
}

function Facts({ type }: { type: ContentType }) {
  const names = useQuery(typeNames).data?.items ?? [];
  const members = names.filter(
    ({ kind, interfaces }) => kind === 'object' && interfaces.includes(type.class),
  );
  const nameFields = (fields: readonly string[]) => fields.map((path) => labelOfPath(type, path)).join(' + ');
  const facts: readonly Fact[] = [
    ['Assets', <AssetCount key="assets" type={type} />],
    ['Group', type.group],
    [
      'Stands for',
      type.kind === 'interface' && <TypeLinks key="members" types={members.map((each) => each.class)} />,
    ],
    ['Is also', type.interfaces.length > 0 && <TypeLinks key="interfaces" types={type.interfaces} />],
    ['Title', type.titleField !== undefined && labelOfPath(type, type.titleField)],
    ['Unique together', type.keys?.map(nameFields).join('; ')],
    [
      'Unique among some',
      type.conditionalKeys?.map((key) => `${nameFields(key.fields)} (${key.where})`).join('; '),
    ],
    ['Rules', type.checks?.map(({ message, where }) => `${message} (${where})`).join('; ')],
    ['Pages', type.previewPath !== undefined && <Code key="pages">{type.previewPath}</Code>],
    ['Class name', <Code key="class">{type.class}</Code>],
    ['Former names', type.formerClasses?.join(', ')],
    ['GraphQL name', <Code key="name">{type.name}</Code>],
    [
      'In GraphQL only',
      type.inverses?.map(({ graphqlName, target, field }) => (
        <Text key={graphqlName} size="sm">
          <Code>{graphqlName}</Code> lists the assets of <TypeLinks types={[target]} /> that refer to it by{' '}
          <Code>{field}</Code>
        </Text>
      )),
    ],
  ];
  return (
    <Stack gap="xs">
      <Text size="sm" dir="auto">
        {type.description ?? 'The type has no description.'}
      </Text>
      <FactTable facts={facts} />
    </Stack>
  );
}

/** How many assets there are, and how many of them do not fit, with links to them. */
function AssetCount({ type }: { type: ContentType }) {
  const from = type.class;
  const found = useQuery({
    queryKey: ['contents', 'query', 'count', from],
    queryFn: () => answer(admin.runQuery({ body: { from, limit: 0 } })),
  });
  const { unfit = 0 } = useQuery(unfitReport).data?.items.find((item) => item.class === from) ?? {};
  return (
    <Loaded query={found} what="the number of assets">
      {({ count }) => (
        <>
          <Anchor component={Link} to={pathOfType(from)} size="sm" underline="always">
            {countOf(count, 'asset')}
          </Anchor>
          {unfit > 0 && (
            <>
              {', of which '}
              <Anchor component={Link} to={pathOfUnfit(from)} size="sm" underline="always">
                {unfit === 1 ? '1 does not fit the type' : `${unfit} do not fit the type`}
              </Anchor>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The panel. */
function TypeSdl({ type }: { type: ContentType }) {
  return (
    <Accordion id="sdl" variant="separated" order={2} keepMounted={false}>
      <Accordion.Item value="sdl">
        <Accordion.Control>SDL</Accordion.Control>
        <Accordion.Panel>
          <Definition name={type.name} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function Definition({ name }: { name: string }) {
  const query = useQuery(typeSources);
  return (
    <Loaded query={query} what="SDL files">
      {({ sources }) => {
        const found = findDefinition(sources, name);
        if (!found) return <Text size="sm">The SDL files do not define the type: Colophon does.</Text>;
        return <CopyField label={`SDL of ${name} in ${found.file}`} text={found.text} maxHeight={480} />;
      }}
    </Loaded>
  );
}

/** Finds the definition with its description. The server has read the files, so they are valid. */
function findDefinition(sources: readonly TypeSource[], name: string): TypeSource | undefined {
  for (const { file, text } of sources) {
    for (const definition of parse(text).definitions) {
      if (!('name' in definition) || definition.name?.value !== name || !definition.loc) continue;
      return { file, text: text.slice(definition.loc.start, definition.loc.end) };
    }
  }
  return undefined;
}

/** The tables. The fields that every type has come last. */
function TypeFields({ type }: { type: ContentType }) {
  const own = type.fields.filter((field) => !isSystemField(field));
  const system = type.fields.filter(isSystemField);
  return (
    <Section title="Fields" id="fields">
      <Stack gap="md">
        <FieldTable
          label={`Fields of ${nameOfType(type)}`}
          type={type}
          fields={[...own, ...system]}
          linksTo={type}
        />
        {type.embeddedTypes.map((embedded) => (
          <div key={embedded.name}>
            <Title order={3} size="h5">
              {nameOfType(embedded)}
              {embedded.kinds ? ', blocks' : ', a group of fields'}
            </Title>
            {embedded.description && <Text size="sm">{embedded.description}</Text>}
            <FieldTable label={`Fields of ${nameOfType(embedded)}`} type={type} fields={embedded.fields} />
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function FieldTable({
  label,
  type,
  fields,
  linksTo,
}: {
  label: string;
  type: ContentType;
  fields: readonly Field[];
  /** The type whose list the names lead to, filtered by the field. */
  linksTo?: ContentType;
}) {
  const nameOf = useTypeNames();
  const columns: readonly ListColumn<Field>[] = [
    {
      id: 'field',
      head: 'Field',
      cell: (field) => (
        <>
          <FieldName field={field} type={linksTo} /> <Code>{field.name}</Code>
        </>
      ),
    },
    {
      id: 'kind',
      head: 'Kind',
      cell: (field) => describeKind(field, { nameOf, embeddedTypes: type.embeddedTypes }),
    },
    { id: 'rules', head: 'Rules', cell: describeRules },
    {
      id: 'help',
      head: 'Help',
      cell: (field) => (
        <div dir="auto">
          {field.description}
          {describeChanges(field).map((sentence) => (
            <Text key={sentence} size="xs" c="dimmed">
              {sentence}
            </Text>
          ))}
        </div>
      ),
    },
  ];
  return (
    <ResourceList
      label={label}
      columns={columns}
      rows={fields}
      isWhole={false}
      idOf={({ name }) => name}
      nameOf={({ name }) => name}
    />
  );
}

/** The name, as a link to the assets that have a value where not all have one. */
function FieldName({ field, type }: { field: Field; type: ContentType | undefined }) {
  const name = fullLabelOf(field);
  if (!type || field.required || isSystemField(field) || field.type.kind === 'embedded') return name;
  const where = new URLSearchParams({ where: `${field.name} != missing` });
  return (
    <Anchor
      component={Link}
      to={`${pathOfType(type.class)}?${where}`}
      inherit
      c="inherit"
      title={`Show the assets that have ${name}`}
    >
      {name}
    </Anchor>
  );
}
