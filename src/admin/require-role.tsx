/**
 * Shows a page only to users whose role it needs, and says so to others.
 */
import { Anchor, Text } from '@mantine/core';
import { isValidElement } from 'react';
import { Link, matchRoutes, Outlet, type RouteObject } from 'react-router';
import type { Role } from './api.ts';
import { Page } from './parts/layout/page.tsx';
import { useMay } from './roles.ts';
import { useSession } from './session.ts';

/** The pages below, for users with this role. */
export function RequireRole({ needed }: { needed: Role }) {
  return useMay(needed) ? <Outlet /> : <NotAllowed needed={needed} />;
}

/** Finds the role that the page at a path needs: that of the `RequireRole` around its route. */
export function neededRole(routes: RouteObject[], path: string): Role {
  for (const { route } of matchRoutes(routes, path) ?? []) {
    const { element } = route;
    if (isValidElement<{ needed: Role }>(element) && element.type === RequireRole)
      return element.props.needed;
  }
  return 'author';
}

function NotAllowed({ needed }: { needed: Role }) {
  const user = useSession()?.user;
  return (
    <Page title="Your role may not open this page">
      <Text>
        This page needs the role {needed}. You are signed in as {user?.email} with the role {user?.role}. An
        administrator can change your role.
      </Text>
      <Text>
        <Anchor component={Link} to="/admin/content" underline="always">
          Go to the content
        </Anchor>
      </Text>
    </Page>
  );
}
