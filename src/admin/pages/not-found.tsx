/**
 * The page for an unknown address.
 */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from '../parts/layout/page.tsx';
import { useMayOpen } from '../roles.ts';

export function NotFound() {
  const mayOpenApis = useMayOpen('/admin');
  return (
    <Page title="Page not found">
      <Text>
        No page has this address.{' '}
        <Anchor component={Link} to="/admin" underline="always">
          {mayOpenApis ? 'Go to the APIs' : 'Go to the content'}
        </Anchor>
      </Text>
    </Page>
  );
}
