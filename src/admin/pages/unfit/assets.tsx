/**
 * The page that lists the assets of a type that break a rule. The URL holds the rule; without one it lists those that break any.
 */
import { Anchor, Code, List, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import type { ContentType, UnfitAsset } from '../../api.ts';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType, useTypeNames } from '../../parts/data/lists.ts';
import {
  findUnfit,
  isUnknownField,
  pathOfRepair,
  type Rule,
  ruleIn,
  unfitPath,
} from '../../parts/data/unfit.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { LoadedPages } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';

const pageSize = 20;

export default function UnfitAssetsPage() {
  const { type = '' } = useParams();
  const [parameters] = useSearchParams();
  const rule = ruleIn(parameters);
  const { data } = useQuery(contentType(type));
  return (
    <Page
      title={`Repair ${useTypeNames()(type)}`}
      info={
        <Text size="sm">
          Class name: <Code>{type}</Code>
        </Text>
      }
      back={{ to: unfitPath, label: 'Assets that do not fit' }}
    >
      {rule && (
        <Text size="sm">
          {fieldOf(data, rule)} {rule.message}
        </Text>
      )}
      <UnfitList key={`${type} ${parameters}`} type={type} shape={data} rule={rule} />
    </Page>
  );
}

/** The name of a field; the path until the type is loaded, and of a field that the type does not have. */
const fieldOf = (shape: ContentType | undefined, { path, message }: Rule) =>
  shape && !isUnknownField({ message }) ? (
    <strong title={path}>{labelOfPath(shape, path)}</strong>
  ) : (
    <Code>{path}</Code>
  );

interface ListProps {
  readonly rule: Rule | undefined;
  /** The type of the assets; undefined until it is loaded. */
  readonly shape: ContentType | undefined;
}

function UnfitList({ type, shape, rule }: ListProps & { type: string }) {
  const query = useInfiniteQuery({
    queryKey: ['contents', 'unfit', type, rule],
    queryFn: ({ pageParam: after, signal }) => findUnfit({ type, rule, after, limit: pageSize }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const empty = (
    <EmptyState title="No asset breaks this rule now">
      <Anchor component={Link} dir="auto" to={unfitPath} size="sm">
        Back to the other rules
      </Anchor>
    </EmptyState>
  );
  return (
    <LoadedPages query={query} what="assets" more="Show more" empty={empty}>
      {(items) => <UnfitTable items={items} shape={shape} rule={rule} />}
    </LoadedPages>
  );
}

function UnfitTable({ items, shape, rule }: ListProps & { items: readonly UnfitAsset[] }) {
  const columns: readonly ListColumn<UnfitAsset>[] = [
    {
      id: 'title',
      head: 'Title',
      cell: ({ title }) => (
        <Text span inherit display="block" maw={360} truncate title={title}>
          {title}
        </Text>
      ),
    },
    {
      id: 'problems',
      head: 'What does not fit',
      cell: ({ problems }) => (
        <List size="sm" listStyleType="none">
          {problems.map((problem) => (
            <List.Item key={`${problem.path} ${problem.message}`}>
              {fieldOf(shape, problem)} {problem.message}
            </List.Item>
          ))}
        </List>
      ),
    },
  ];
  return (
    <ResourceList
      label="Assets to repair"
      columns={columns}
      rows={items}
      isWhole={false}
      idOf={({ _id }) => _id}
      nameOf={({ title }) => title}
      hrefOf={(asset) => pathOfRepair(asset, rule)}
    />
  );
}
