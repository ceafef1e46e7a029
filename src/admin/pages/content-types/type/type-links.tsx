/**
 * Names content types as links to their pages.
 */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { pathOfTypePage } from '../../../parts/data/asset-titles.ts';
import { toShortName } from '../../../parts/data/content-types.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { typeNames } from '../../../parts/data/lists.ts';

/** Returns the function that names a content type for people. */
export function useTypeNames(): (className: string) => string {
  const { data } = useQuery(typeNames);
  const names = new Map(data?.items.map((type) => [type.class, nameOfType(type)]));
  return (className) => names.get(className) ?? toShortName(className);
}

/** The links, with commas between. */
export function TypeLinks({ types }: { types: readonly string[] }) {
  const nameOf = useTypeNames();
  return types.map((type, n) => (
    <Fragment key={type}>
      {n > 0 && ', '}
      <Anchor component={Link} to={pathOfTypePage(type)} size="sm" underline="always" title={type}>
        {nameOf(type)}
      </Anchor>
    </Fragment>
  ));
}
