/**
 * The frame of a page's content: the bar with its place, state and actions, which stays in view, and the content.
 */
import { ActionIcon, Anchor, Box, Group, Popover, Stack, Text, Title } from '@mantine/core';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'react-router';
import { keepRecentPage } from '../data/recent-pages.ts';
import { InfoIcon } from './icons.ts';
import classes from './page.module.css';
import { PageBar } from './page-bar.ts';

/**
 * A page with its title, which the browser's tab shows too, and `info` behind a button beside it. With `isWide` it is as wide as the
 * window, with `isFull` at least as high as well.
 */
export function Page({
  title,
  back,
  info,
  actions,
  isWide = false,
  isFull = false,
  children,
}: {
  title: string;
  back?: { to: string; label: string };
  info?: ReactNode;
  actions?: ReactNode;
  isWide?: boolean;
  isFull?: boolean;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · Colophon`;
    keepRecentPage({ path: pathname, title });
  }, [title, pathname]);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const bar = useMeasuredBar();
  return (
    <>
      <div className={classes.bar} ref={bar}>
        <div className={classes.place}>
          {back && (
            <Anchor component={Link} to={back.to} size="sm" c="dimmed" className={classes.back}>
              ← {back.label}
            </Anchor>
          )}
          <Title order={1} size="h1" ref={heading} tabIndex={-1} dir="auto" className={classes.title}>
            {title}
          </Title>
          {info && <Info title={title}>{info}</Info>}
        </div>
        <div className={classes.actions} ref={setPlace} />
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      <PageBar value={place}>
        <Stack
          gap="md"
          className={classes.page}
          {...(isFull ? { mih: restOfWindow } : isWide ? {} : { maw: 1200 })}
        >
          {children}
        </Stack>
      </PageBar>
    </>
  );
}

/** A button that shows more about what the page is of. */
function Info({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Popover position="bottom-start" width="min(860px, calc(100vw - 32px))" trapFocus withRoles>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`About ${title}`}
          title={`About ${title}`}
        >
          <InfoIcon size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={`About ${title}`} mah="70vh" style={{ overflowY: 'auto' }}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Keeps the height of the bar, which may have a second line, in `--page-bar-height`, for what stays in view below it. */
function useMeasuredBar(): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = bar;
    if (!current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--page-bar-height', `${current.offsetHeight}px`),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return bar;
}

/** The height of the window without the header, the bar and the padding around the page. */
const restOfWindow =
  'calc(100dvh - var(--app-shell-header-height, 0px) - var(--page-bar-height, 52px) - 10px - var(--mantine-spacing-md))';

/** A part of a page, with a heading. */
export function Section({
  title,
  id,
  actions,
  children,
}: {
  title: string;
  /** What a link such as `#fields` leads to. */
  id?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Box component="section" aria-label={title} id={id} className={classes.section}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Box>
  );
}

/** The placeholder of an empty list: what the list is for, and what to do next. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={4} p="lg" ta="center" bd="1px dashed var(--mantine-color-default-border)" bdrs="md">
      <Text fw={600}>{title}</Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Stack>
  );
}

/** Whether the user has gone to another page since the browser loaded the UI; the frame of the pages provides it. */
export const MovedContext = createContext(false);

/** Returns the value of `MovedContext`. */
export function useHasMoved(): boolean {
  const { key } = useLocation();
  const [firstKey] = useState(key);
  const [hasMoved, setHasMoved] = useState(false);
  if (key !== firstKey && !hasMoved) setHasMoved(true);
  return hasMoved;
}

/** Returns the reference for the heading. The focus moves only from where it led to the page, never out of an input or a dialog. */
function useFocusOnArrival<Heading extends HTMLElement>(): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  const hasMoved = useContext(MovedContext);
  const { pathname } = useLocation();
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.closest('nav, header');
    if (hasMoved && isFree && pathname) heading.current?.focus({ preventScroll: true });
  }, [pathname, hasMoved]);
  return heading;
}
