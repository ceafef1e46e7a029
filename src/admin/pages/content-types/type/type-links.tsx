/**
 * Names content types as links to their pages.
 */
import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { pathOfTypePage } from '../../../parts/data/asset-titles.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';

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
