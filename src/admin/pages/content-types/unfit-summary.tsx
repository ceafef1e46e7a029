/**
 * How many stored assets do not fit the content types, with a link to them.
 */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { UnfitReport } from '../../api.ts';
import { unfitPath, unfitReport } from '../../parts/data/unfit.ts';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';

export function UnfitSummary() {
  const query = useQuery(unfitReport);
  return (
    <Section title="Stored assets">
      <Loaded query={query} what="assets that do not fit">
        {(report) => (
          <Text size="sm">
            {describe(report)}{' '}
            <Anchor component={Link} to={unfitPath} inherit underline="always">
              Assets that do not fit
            </Anchor>
          </Text>
        )}
      </Loaded>
    </Section>
  );
}

function describe({ items }: UnfitReport): string {
  const unfit = items.reduce((sum, item) => sum + item.unfit, 0);
  const isCounted = items.every(({ countedAt }) => countedAt !== undefined);
  if (unfit > 0) {
    const number = unfit === 1 ? '1 asset does' : `${unfit} assets do`;
    return `${number} not fit the content types.${isCounted ? '' : ' The count is not finished.'}`;
  }
  return isCounted ? 'All assets fit the content types.' : 'The assets are being counted.';
}
