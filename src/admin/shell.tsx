/**
 * The frame of every page: the navigation, the user's menu and the colour scheme.
 */
import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  ScrollArea,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Link, Outlet, useLocation, useNavigate } from 'react-router';
import { sessionKeeper } from './api.ts';
import { FindButton } from './find/find-button.tsx';
import { Navigation } from './navigation.tsx';
import { MovedContext, useHasMoved } from './parts/layout/focus-on-arrival.ts';
import { DarkIcon, LightIcon } from './parts/layout/icons.ts';
import { Logo } from './parts/layout/logo.tsx';
import { contentId, SkipLink } from './parts/layout/skip-link.tsx';
import { Version } from './parts/layout/version.tsx';
import { Loading } from './parts/loading/loading.tsx';
import { PageBoundary } from './parts/loading/page-boundary.tsx';
import { ReleaseSelect, ReleaseStrip } from './parts/releases/release-choice.tsx';
import { useFollowedRelease, useWorkRelease } from './parts/releases/work-release.ts';
import { useSessionState } from './session.ts';
import { sessionOf } from './session-keeper.ts';

/** The frame; the page stands in its `main`. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  useFollowedRelease();
  const release = useWorkRelease();
  return (
    <AppShell
      header={{ height: release === undefined ? 56 : 92 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <SkipLink />
      <AppShell.Header>
        <Group h={55} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
            />
            <Text
              component={Link}
              to="/admin"
              aria-label="Colophon"
              fw={700}
              size="lg"
              td="none"
              c="inherit"
              style={besideLogo}
            >
              <Logo size={24} />
              <Text span inherit visibleFrom="xs">
                Colophon
              </Text>
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Box visibleFrom="md">
              <ReleaseSelect />
            </Box>
            <Account />
          </Group>
        </Group>
        {release !== undefined && <ReleaseStrip release={release} />}
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main" onKeyDown={(event) => event.key === 'Escape' && close()}>
        <AppShell.Section hiddenFrom="md" mb="xs">
          <ReleaseSelect />
        </AppShell.Section>
        <AppShell.Section
          grow
          component={ScrollArea}
          type="auto"
          scrollbarSize={6}
          offsetScrollbars="present"
        >
          <Navigation onNavigate={close} />
        </AppShell.Section>
        <AppShell.Section>
          <Version />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1} style={{ outline: 'none' }}>
        <Page key={release ?? ''} />
      </AppShell.Main>
    </AppShell>
  );
}

const besideLogo = { display: 'flex', alignItems: 'center', gap: 'var(--mantine-spacing-xs)' };

/** The page, and what stands in its place when it cannot be shown. */
function Page() {
  const { pathname } = useLocation();
  return (
    <MovedContext value={useHasMoved()}>
      <PageBoundary place={pathname}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </PageBoundary>
    </MovedContext>
  );
}

function Account() {
  const state = useSessionState();
  const navigate = useNavigate();
  // Leaves the page first, so that unsaved changes are asked about as they always are.
  const signOut = () => navigate('/admin/sign-in', { state: { signOut: true } });
  return (
    <Group gap="xs" wrap="nowrap">
      <FindButton />
      <Text size="sm" visibleFrom="md">
        {sessionOf(state)?.user.email}
      </Text>
      <ColorSchemeSwitch />
      {state.phase === 'ended' ? (
        <Button size="xs" onClick={() => sessionKeeper.ask()}>
          Sign in
        </Button>
      ) : (
        <Button variant="default" size="xs" onClick={signOut}>
          Sign out
        </Button>
      )}
    </Group>
  );
}

function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="default"
      size="md"
      aria-label={isDark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <LightIcon size={16} /> : <DarkIcon size={16} />}
    </ActionIcon>
  );
}
