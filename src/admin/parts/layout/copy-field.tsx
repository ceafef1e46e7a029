/**
 * A text to copy, such as a secret or a curl command, with a button that copies it.
 */
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/**
 * The text under its label, laid out as in `shown`; the button copies `text` itself, and says so. Beyond `maxHeight` pixels the text
 * scrolls.
 */
export function CopyField({
  label,
  text,
  shown = text,
  maxHeight,
}: {
  label: string;
  text: string;
  shown?: string;
  maxHeight?: number;
}) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="end">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="default"
              onClick={copy}
              aria-label={copied ? `${label} copied` : `Copy ${label}`}
              aria-live="polite"
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      {/* May scroll, so it must be reachable by keyboard. */}
      <Code
        block
        mah={maxHeight}
        tabIndex={0}
        role="group"
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {shown}
      </Code>
    </Stack>
  );
}
