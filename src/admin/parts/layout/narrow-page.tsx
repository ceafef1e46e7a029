/**
 * A page without the frame of the others, for people who are not signed in.
 */
import { Center, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** The page; `name` is what the browser calls it. */
export function NarrowPage({
  name,
  title,
  width = 360,
  children,
}: {
  name: string;
  title: string;
  width?: number;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${name} · Colophon`;
  }, [name]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={width}>
        <Stack>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
