/**
 * The page of a content type, for those who write SDL and those who do not: what it is, its fields, its references, who uses it.
 */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type Params, useParams } from 'react-router';
import { admin, answer, type ContentType } from '../../../api.ts';
import { pathOfType } from '../../../parts/data/asset-titles.ts';
import { contentType } from '../../../parts/data/content-types.ts';
import { labelOfPath, nameOfType } from '../../../parts/data/field-label.ts';
import { typeNames } from '../../../parts/data/lists.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { pathOfUnfit, unfitReport } from '../../../parts/data/unfit.ts';
import { type Fact, FactTable } from '../../../parts/layout/fact-table.tsx';
import { Page } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
import { Together } from '../../../parts/loading/together.tsx';
import { useMayOpen } from '../../../roles.ts';
import { TypeFields } from './fields.tsx';
import { TypeReferences } from './references.tsx';
import { TypeSdl } from './sdl.tsx';
import { TypeLinks } from './type-links.tsx';
import { TypeUses } from './uses.tsx';

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
