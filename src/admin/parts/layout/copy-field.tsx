/**
 * Texts to be copied, also secrets that are shown once.
 */
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../confirm/dialog.tsx';

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

/** The dialog with the value to copy; `why` says why it cannot be shown again. */
export function ShownOnce({
  title,
  why = 'Colophon keeps only a hash.',
  isOpen,
  onClose,
  children,
}: {
  title: string;
  why?: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      // What it shows is gone at once, so it cannot fade.
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text size="sm">This is shown only once. Store it now: {why}</Text>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
