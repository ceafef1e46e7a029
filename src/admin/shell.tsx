/**
 * The frame of every page: the navigation, the search, the user and the colour scheme.
 */
import './parts/layout/skip-link.css';
import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { sessionKeeper } from './api.ts';
import { SearchButton, useSearch } from './find/search-button.tsx';
import { Navigation } from './navigation.tsx';
import { DarkIcon, LightIcon, SearchIcon, SignOutIcon } from './parts/layout/icons.ts';
import { Logo } from './parts/layout/narrow-page.tsx';
import { MovedContext, useHasMoved } from './parts/layout/page.tsx';
import { Loading } from './parts/loading/loading.tsx';
import { PageBoundary } from './parts/loading/page-boundary.tsx';
import { ReleaseSelect, ReleaseStrip } from './parts/releases/release-choice.tsx';
import { useFollowedRelease, useWorkRelease } from './parts/releases/work-release.ts';
import { useSessionState } from './session.ts';
import { sessionOf } from './session-keeper.ts';
import classes from './shell.module.css';

/**
 * The frame; the page stands in its `main`. Beside it is the navigation, with the search and the user; a small screen has it behind a
 * button in a header.
 */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  useFollowedRelease();
  const release = useWorkRelease();
  const search = useSearch();
  const strip = release === undefined ? 0 : 36;
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52 + strip, sm: strip } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
      className={classes.shell}
    >
      <SkipLink />
      {search.dialog}
      <AppShell.Header withBorder={false}>
        <Group
          hiddenFrom="sm"
          h={52}
          px="md"
          justify="space-between"
          wrap="nowrap"
          className={classes.header}
        >
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              size="sm"
              aria-label={isOpen ? closeLabel : 'Open navigation'}
            />
            <Brand />
          </Group>
          <ActionIcon variant="default" size="lg" aria-label="Search" onClick={search.open}>
            <SearchIcon size={16} />
          </ActionIcon>
        </Group>
        {release !== undefined && <ReleaseStrip release={release} />}
      </AppShell.Header>
      <AppShell.Navbar
        px="xs"
        py="sm"
        aria-label="Main"
        className={classes.navigation}
        onKeyDown={(event) => event.key === 'Escape' && close()}
      >
        <Group px={8} pb="xs" mih={38} gap="xs" wrap="nowrap" justify="space-between">
          <Brand />
          <Burger hiddenFrom="sm" opened onClick={close} size="sm" aria-label={closeLabel} />
          <ReleaseSelect />
        </Group>
        <Box visibleFrom="sm" pb="xs">
          <SearchButton onClick={search.open} />
        </Box>
        <Navigation isOpen={isOpen} onNavigate={close} />
        <Account />
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1} className={classes.main}>
        <Page key={release ?? ''} />
      </AppShell.Main>
    </AppShell>
  );
}

const closeLabel = 'Close navigation';

function Brand() {
  return (
    <span className={classes.brand}>
      <Logo size={20} />
      Colophon
    </span>
  );
}

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

/** Who has signed in, the colours, and the way out. */
function Account() {
  const state = useSessionState();
  const user = sessionOf(state)?.user;
  const navigate = useNavigate();
  // Leaves the page first, so that unsaved changes are asked about as they always are.
  const signOut = () => navigate('/admin/sign-in', { state: { signOut: true } });
  return (
    <Group gap={4} px={8} pt="xs" wrap="nowrap" className={classes.account}>
      <Text
        size="sm"
        c="dimmed"
        truncate
        flex={1}
        title={`${user?.name ?? user?.email} · Colophon ${version}`}
      >
        {user?.email}
      </Text>
      <ColorSchemeSwitch />
      {state.phase === 'ended' ? (
        <Button size="xs" onClick={() => sessionKeeper.ask()}>
          Sign in
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-label="Sign out"
          title="Sign out"
          onClick={signOut}
        >
          <SignOutIcon size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}

/** The version of Colophon, which is that of the server: both are built and installed together. */
const version = String(import.meta.env.COLOPHON_VERSION);

function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      aria-label={isDark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <LightIcon size={16} /> : <DarkIcon size={16} />}
    </ActionIcon>
  );
}

/** The ID of the element that holds the page. */
const contentId = 'content';

/** The link. */
function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${contentId}`}
      onClick={(event) => {
        // The address stays as it is, since it belongs to the page.
        event.preventDefault();
        document.getElementById(contentId)?.focus();
      }}
    >
      Skip to content
    </a>
  );
}
