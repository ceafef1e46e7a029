/**
 * The way to a new asset: of the type itself, or of one of those that implement an interface.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ContentType } from '../../api.ts';
import { pathOfAsset } from '../../parts/asset-titles.ts';
import { typeList } from '../../parts/lists.ts';

/** A link to the empty form, one for each type that assets found under `type` can have. */
export function NewAssetButton({ type }: { type: ContentType }) {
  const types = useQuery({ ...typeList, enabled: type.kind === 'interface' }).data?.items ?? [];
  const concrete =
    type.kind === 'object'
      ? [type]
      : types.filter((each) => each.kind === 'object' && each.interfaces.includes(type.class));
  return concrete.map(({ class: className, name }) => (
    <Button key={className} component={Link} to={pathOfAsset({ _id: 'new', _type: className })}>
      New {name}
    </Button>
  ));
}
