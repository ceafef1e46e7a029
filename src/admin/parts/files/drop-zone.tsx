/**
 * Where a file is chosen, dropped or pasted.
 */
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { UploadStatus } from './upload-status.tsx';
import { type FileLimits, filesOf, type UploadState } from './use-upload.ts';

/** Takes files, and shows how far their upload is. `label` names what they are for. */
export function DropZone({
  label,
  limits = {},
  isMultiple = false,
  state,
  onFiles,
  onCancel,
}: {
  label: string;
  limits?: FileLimits;
  isMultiple?: boolean;
  state: UploadState;
  onFiles: (files: readonly File[]) => void;
  onCancel: () => void;
}) {
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  /** Returns whether there were files. */
  const take = (files: readonly File[]): boolean => {
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1));
    return files.length > 0;
  };
  return (
    <Paper
      withBorder
      p="sm"
      data-drop={label}
      style={isOver ? { borderColor: 'var(--mantine-primary-color-filled)', borderStyle: 'dashed' } : {}}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        if (take(filesOf(event.dataTransfer))) event.preventDefault();
      }}
      onPaste={(event) => {
        if (take(filesOf(event.clipboardData))) event.preventDefault();
      }}
    >
      <Stack gap="xs" align="stretch">
        {!state.sending && (
          <Group gap="sm">
            <Button variant="default" size="xs" onClick={() => chooser.current?.click()}>
              Choose {isMultiple ? 'files' : 'a file'} for {label}
            </Button>
            <Text size="xs">or drop {isMultiple ? 'them' : 'it'} here, or paste</Text>
          </Group>
        )}
        <UploadStatus state={state} onCancel={onCancel} />
      </Stack>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={isMultiple}
        accept={limits.accept?.join(',')}
        aria-label={`File for ${label}`}
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </Paper>
  );
}
