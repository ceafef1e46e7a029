/**
 * One attempt to send a message: the outcome, the response of the receiver and the request.
 */
import { Alert, Stack, Text } from '@mantine/core';
import type { WebhookRequest, WebhookResponse } from '../../api.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Moment } from '../../parts/time/ago.tsx';

/** An attempt; without a response, `error` says why. Times are milliseconds. */
interface Attempt {
  readonly at: number;
  readonly tookMs: number;
  readonly error?: string | undefined;
  readonly response?: WebhookResponse | undefined;
}

const maxHeight = 320;

/** Shows an attempt, whose outcome a screen reader announces, with its request, which is absent if the change is no longer known. */
export function Exchange({
  attempt: { at, tookMs, error, response },
  isDelivered,
  request,
}: {
  attempt: Attempt;
  isDelivered: boolean;
  request: WebhookRequest | undefined;
}) {
  const type = response?.contentType;
  return (
    <Stack gap="sm">
      <Alert
        color={isDelivered ? 'green' : 'red'}
        variant="light"
        title={isDelivered ? 'Delivered' : 'Not delivered'}
        role="status"
      >
        <Text size="sm">
          {error ?? `The receiver answered ${response?.status}`}, after {Math.round(tookMs)} ms, on{' '}
          <Moment ms={at} withSeconds />.
        </Text>
      </Alert>
      {response?.body !== undefined && response.body !== '' && (
        <CopyField
          label={type === undefined ? 'Response' : `Response (${type})`}
          text={response.body}
          shown={indented(response.body)}
          maxHeight={maxHeight}
        />
      )}
      {request ? (
        <>
          <CopyField label="Request headers, without the signature" text={toLines(request.headers)} />
          <CopyField
            label="Request body"
            text={request.body}
            shown={indented(request.body)}
            maxHeight={maxHeight}
          />
        </>
      ) : (
        <Text size="sm">The request cannot be shown, because the change is no longer known.</Text>
      )}
    </Stack>
  );
}

/** JSON with a line for each member and element, its values as they were sent; a text that is something else as it is. */
function indented(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  const isOneOf = (marks: string, token = '') => token.length === 1 && marks.includes(token);
  let indent = '\n';
  return tokens
    .map((token, index) => {
      if (isOneOf('{[', token)) {
        indent += '  ';
        return isOneOf('}]', tokens[index + 1]) ? token : token + indent;
      }
      if (isOneOf('}]', token)) {
        indent = indent.slice(0, -2);
        return isOneOf('{[', tokens[index - 1]) ? token : indent + token;
      }
      if (token === ',') return token + indent;
      return token === ':' ? ': ' : token;
    })
    .join('');
}

const toLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
