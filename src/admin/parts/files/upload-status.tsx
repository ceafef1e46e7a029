/**
 * How far the upload of files is, and which files failed.
 */
import { Button, Group, Progress, Text } from '@mantine/core';
import type { UploadState } from './use-upload.ts';

/** Shows the upload, if there is one. */
export function UploadStatus({ state, onCancel }: { state: UploadState; onCancel: () => void }) {
  const { sending, failures } = state;
  return (
    <>
      {sending && (
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
            {sending.name}: {sending.percent} %
          </Text>
          <Progress value={sending.percent} flex={1} miw={60} aria-label={`Upload of ${sending.name}`} />
          <Button variant="default" size="xs" flex="none" onClick={onCancel}>
            Cancel the upload
          </Button>
        </Group>
      )}
      {failures.map(({ name, message }, index) => (
        // Two files can have the same name, and the list only grows.
        <Text key={index} size="xs" c="var(--mantine-color-error)" role="alert">
          {name} was not uploaded. {message}
        </Text>
      ))}
    </>
  );
}
