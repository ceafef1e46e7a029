/**
 * The page for an unknown address.
 */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from '../parts/layout/page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Text>
        No page has this address.{' '}
        <Anchor component={Link} to="/admin" underline="always">
          Go to the first page
        </Anchor>
      </Text>
    </Page>
  );
}
