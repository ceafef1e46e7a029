/**
 * A page without the frame of the others, for people who are not signed in.
 */
import { Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { serverUrl } from '../../base-path.ts';
import logo from '../../logo.svg';

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
          <Group gap="sm" wrap="nowrap">
            <Logo size={28} />
            <div>
              <Title order={1} size="h3">
                {title}
              </Title>
              {/* Which installation it is, for those who have several. */}
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {serverUrl.replace(/^https?:\/\//, '')}
              </Text>
            </div>
          </Group>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

/** The logo, beside the name; `size` is in pixels. */
export function Logo({ size }: { size: number }) {
  return <Image src={logo} alt="" w={size} h={size} />;
}
