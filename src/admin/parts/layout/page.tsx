/**
 * The frame of a page's content: its title, its actions, and the way back.
 */
import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { useFocusOnArrival } from './focus-on-arrival.ts';

/** A page with its title, which the browser's tab shows too. With `isFull` it is as wide and at least as high as the window has room. */
export function Page({
  title,
  back,
  actions,
  isFull = false,
  children,
}: {
  title: string;
  back?: { to: string; label: string };
  actions?: ReactNode;
  isFull?: boolean;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Colophon`;
  }, [title]);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  return (
    <Stack gap="md" {...(isFull ? { mih: restOfWindow } : { maw: 1200 })}>
      {back && (
        <Anchor component={Link} to={back.to} size="sm">
          ← {back.label}
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start">
        <Title
          order={1}
          size="h1"
          ref={heading}
          tabIndex={-1}
          style={{ overflowWrap: 'anywhere', outline: 'none' }}
        >
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
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
