/**
 * The frame of a page's content: its title, its actions, and the way back.
 */
import { ActionIcon, Anchor, Box, Group, Popover, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { useFocusOnArrival } from './focus-on-arrival.ts';
import { InfoIcon } from './icons.ts';
import classes from './page.module.css';

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
  useEffect(() => {
    document.title = `${title} · Colophon`;
  }, [title]);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  return (
    <Stack
      gap="md"
      className={classes.page}
      {...(isFull ? { mih: restOfWindow } : isWide ? {} : { maw: 1200 })}
    >
      <Stack gap={4}>
        {back && (
          <Anchor component={Link} to={back.to} size="sm">
            ← {back.label}
          </Anchor>
        )}
        <Group justify="space-between" align="center">
          <Group gap={4} wrap="nowrap">
            <Title
              order={1}
              size="h1"
              ref={heading}
              tabIndex={-1}
              dir="auto"
              style={{ overflowWrap: 'anywhere', outline: 'none' }}
            >
              {title}
            </Title>
            {info && <Info title={title}>{info}</Info>}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
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

/** The height of the window without the header and the padding around the page. */
const restOfWindow = 'calc(100dvh - var(--app-shell-header-height, 0px) - 2 * var(--mantine-spacing-md))';

/** A part of a page, with a heading. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Box component="section" aria-label={title}>
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
