/**
 * The answer of a route.
 */
import { Code, Group, Stack, Table, Text } from '@mantine/core';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { Mark } from '../../../parts/layout/mark.tsx';
import type { RouteResponse } from './send-request.ts';

/** As much text as a browser lays out at once without delay. */
const maxShown = 200_000;

/** Status, time, headers and body; a screen reader hears of the first two at once. */
export function ResponseView({
  answer: { sender, status, reason, ms, headers, text },
}: {
  answer: RouteResponse;
}) {
  return (
    <Stack gap="xs">
      <Group gap="md" role="status">
        <Text fw={600} c={status < 400 ? 'light-dark(#1e6b2d, #7ddba6)' : 'light-dark(#a11220, #ff9e94)'}>
          {status} {reason}
        </Text>
        <Text size="sm">{ms} ms</Text>
        {sender === 'administrator' && <Mark color="orange">Ran as administrator</Mark>}
      </Group>
      {headers.length > 0 && <Headers headers={headers} />}
      {text !== '' && (
        <Code block tabIndex={0} role="region" aria-label="Answer" mah={480}>
          {text.slice(0, maxShown)}
        </Code>
      )}
      {text.length > maxShown && (
        <Text size="sm">
          Only the first {formatNumber(maxShown)} of {formatNumber(text.length)} characters are shown.
        </Text>
      )}
    </Stack>
  );
}

function Headers({ headers }: Pick<RouteResponse, 'headers'>) {
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table aria-label="Response headers" withRowBorders={false} verticalSpacing={2} w="auto">
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
  );
}
