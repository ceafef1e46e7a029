/**
 * The answer of a route.
 */
import { Code, Group, Stack, Table, Text } from '@mantine/core';
import type { RouteResponse } from './send-request.ts';

/** Status, time, headers and body; a screen reader hears of the first two at once. */
export function ResponseView({ answer: { status, reason, ms, headers, text } }: { answer: RouteResponse }) {
  return (
    <Stack gap="xs">
      <Group gap="md" role="status">
        <Text fw={600} c={status < 400 ? 'light-dark(#1e6b2d, #7ddba6)' : 'light-dark(#a11220, #ff9e94)'}>
          {status} {reason}
        </Text>
        <Text size="sm">{ms} ms</Text>
      </Group>
      <Table.ScrollContainer minWidth={0}>
        <Table aria-label="Headers" withRowBorders={false} verticalSpacing={2} w="auto">
          <Table.Tbody>
            {headers.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>
                  <Code>{value}</Code>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {text !== '' && (
        <Code block tabIndex={0} role="region" aria-label="Answer" mah={480}>
          {text}
        </Code>
      )}
    </Stack>
  );
}
