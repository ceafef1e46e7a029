/**
 * The fields of a type and of its embedded types, in plain words.
 */
import { Anchor, Code, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { ContentType, Field } from '../../../api.ts';
import { describeChanges, describeKind, describeRules } from '../../../parts/data/describe-field.ts';
import { fullLabelOf, isSystemField, nameOfType } from '../../../parts/data/field-label.ts';
import { useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfType } from '../../../parts/data/load-titles.ts';
import { Section } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';

/** The tables. The fields that every type has come last. */
export function TypeFields({ type }: { type: ContentType }) {
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
