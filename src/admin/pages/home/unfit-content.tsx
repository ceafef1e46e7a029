/**
 * The number of assets that do not fit their types, for those who do not see what else needs attention.
 */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatNumber } from '../../parts/data/number-words.ts';
import { unfitPath, unfitReport } from '../../parts/data/unfit.ts';

/** A link to these assets; nothing if there are none. */
export function UnfitContent() {
  const items = useQuery(unfitReport).data?.items ?? [];
  const count = items.reduce((sum, { unfit }) => sum + (unfit ?? 0), 0);
  if (count === 0) return null;
  return (
    <Text size="sm">
      <Anchor component={Link} to={unfitPath} inherit underline="always">
        {count === 1
          ? '1 asset does not fit its type'
          : `${formatNumber(count)} assets do not fit their types`}
      </Anchor>
    </Text>
  );
}
