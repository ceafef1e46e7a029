/**
 * What surrounds every page: the navigation, who is signed in, light or dark.
 */
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { Loading } from './parts/loading.tsx';
import { useSession, useSignIn } from './session.tsx';

const places = [
  { to: '/admin', label: 'APIs' },
  { to: '/admin/explorer', label: 'Explorer' },
  { to: '/_debug/query', label: 'Query' },
  { to: '/admin/content', label: 'Content' },
  { to: '/docs', label: 'Reference' },
];

/** The frame; the page stands in its `main`. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
            />
            <Text component={Link} to="/admin" fw={700} size="lg" td="none" c="inherit">
              Colophon
            </Text>
          </Group>
          <Account />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation();
  const below = places.filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  // Pages of single APIs stand below the first place, which is the beginning of most others too.
  const current = below.toSorted((one, other) => other.to.length - one.to.length)[0]?.to;
  return places.map(({ to, label }) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      label={label}
      active={to === current}
      aria-current={to === current ? 'page' : undefined}
      onClick={onNavigate}
      variant="light"
    />
  ));
}

function Account() {
  const session = useSession();
  const { signOut } = useSignIn();
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" visibleFrom="xs">
        {session?.user.email}
      </Text>
      <ColorSchemeSwitch />
      <Button variant="default" size="xs" onClick={signOut}>
        Sign out
      </Button>
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
      <span aria-hidden>{isDark ? '☀' : '☾'}</span>
    </ActionIcon>
  );
}
