/**
 * What a list says that shows no asset: that nothing matches, that all assets are drafts, or that there is none yet.
 */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin, answer, type ContentType } from '../../../api.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { typeNames } from '../../../parts/data/lists.ts';
import { pathOfAsset, pathOfType } from '../../../parts/data/load-titles.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { EmptyState } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { draftsRelease, stateOfRelease, useWorkRelease } from '../../../parts/releases/work-release.ts';

/** The box in place of the table. */
export function NoAssets({
  type,
  isFiltered,
  onClear,
}: {
  type: ContentType;
  isFiltered: boolean;
  onClear: () => void;
}) {
  const release = useWorkRelease();
  const drafts = useQuery({
    queryKey: ['contents', 'query', 'drafts', type.class],
    queryFn: () =>
      answer(admin.runQuery({ body: { from: type.class, limit: 0 }, query: { release: draftsRelease } })),
    enabled: !isFiltered && release === undefined,
  });
  if (isFiltered) {
    return (
      <EmptyState title="Nothing matches">
        <Button variant="default" size="xs" mt="sm" onClick={onClear}>
          Show all assets
        </Button>
      </EmptyState>
    );
  }
  if (drafts.isLoading) return <Loading />;
  // A store without a change log has no drafts.
  const { count } = drafts.data ?? { count: 0 };
  const name = nameOfType(type);
  return (
    <EmptyState title={titleFor({ name, count, isRelease: release !== undefined })}>
      {count > 0 && (
        <Text size="sm">
          {count === 1 ? 'It was withdrawn, or is' : 'They were withdrawn, or are'} not published yet.{' '}
          <Anchor
            component={Link}
            to={pathOfType(type.class)}
            state={stateOfRelease(draftsRelease)}
            size="sm"
            underline="always"
          >
            Show {countOf(count, 'draft')}
          </Anchor>
        </Text>
      )}
      <Group justify="center" mt="sm">
        <NewAssetButton type={type} variant="default" />
      </Group>
    </EmptyState>
  );
}

function titleFor({ name, count, isRelease }: { name: string; count: number; isRelease: boolean }): string {
  if (isRelease) return `The release has no assets of type ${name}`;
  if (count === 0) return `No assets of type ${name} yet`;
  return count === 1
    ? `The only asset of type ${name} is a draft`
    : `All ${count} assets of type ${name} are drafts`;
}

/** A link to the empty form, one for each type that assets found under `type` can have. */
export function NewAssetButton({
  type,
  variant = 'filled',
}: {
  type: ContentType;
  variant?: 'filled' | 'default';
}) {
  const types = useQuery({ ...typeNames, enabled: type.kind === 'interface' }).data?.items ?? [];
  const concrete =
    type.kind === 'object'
      ? [type]
      : types.filter((each) => each.kind === 'object' && each.interfaces.includes(type.class));
  return concrete.map((each) => (
    <Button
      key={each.class}
      variant={variant}
      component={Link}
      to={pathOfAsset({ _id: 'new', _type: each.class })}
    >
      New {nameOfType(each)}
    </Button>
  ));
}
