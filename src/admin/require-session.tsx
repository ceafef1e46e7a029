/**
 * Lets only signed-in users pass, and those with the role that a page asks for.
 */

import { Anchor, Text } from '@mantine/core';
import { isValidElement, type ReactNode } from 'react';
import { Link, matchRoutes, Navigate, Outlet, type RouteObject, useLocation } from 'react-router';
import { type Role, sessionKeeper } from './api.ts';
import { NarrowPage } from './parts/layout/narrow-page.tsx';
import { Page } from './parts/layout/page.tsx';
import { ProblemAlert } from './parts/problems/problem-alert.tsx';
import { useMay } from './roles.ts';
import { useSession, useSessionState } from './session.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** Shows its children when a user is signed in, and keeps them while the user signs in again. */
export function RequireSession({ children }: { children: ReactNode }) {
  const state = useSessionState();
  const { pathname, search } = useLocation();
  switch (state.phase) {
    case 'unknown':
      // Meanwhile index.html draws.
      return null;
    case 'failed':
      return <Unreachable error={state.error} />;
    case 'signedOut':
      return <Navigate to={`/admin/sign-in?from=${encodeURIComponent(pathname + search)}`} replace />;
    default:
      return (
        <>
          {children}
          <SignInAgain user={state.session.user} isOpen={state.phase === 'ended' && state.isAsking} />
        </>
      );
  }
}

function Unreachable({ error }: { error: unknown }) {
  return (
    <NarrowPage name="Unreachable" title="Colophon could not be opened" width={420}>
      <ProblemAlert
        error={error}
        title="Could not check whether you are signed in"
        onRetry={sessionKeeper.load}
      />
    </NarrowPage>
  );
}

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
