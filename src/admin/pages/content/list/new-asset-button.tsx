/**
 * Links to the form of a new asset: of the type itself, or of a type that implements the interface.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { pathOfAsset } from '../../../parts/data/asset-titles.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { typeNames } from '../../../parts/data/lists.ts';

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
