/**
 * Where a file is uploaded, dropped, pasted, or chosen from those of the platform.
 */
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListedFile } from '../../api.ts';
import { ChooseFile } from './choose-file.tsx';
import { UploadStatus } from './upload-status.tsx';
import { type FileLimits, filesOf, type UploadState } from './use-upload.ts';

/** Takes files, and shows how far their upload is. */
export function DropZone({
  label,
  limits = {},
  isMultiple = false,
  state,
  onFiles,
  onCancel,
  onChoose,
  shown,
  children,
}: {
  /** What the files are for; absent where they are only uploaded. */
  label?: string;
  limits?: FileLimits;
  isMultiple?: boolean;
  state: UploadState;
  onFiles: (files: readonly File[]) => void;
  onCancel: () => void;
  /** Takes a file of the platform. Without it none can be chosen. */
  onChoose?: (file: ListedFile) => void;
  /** What shows the file that is there already; the buttons then replace it. */
  shown?: ReactNode;
  /** Further buttons. */
  children?: ReactNode;
}) {
  const chooser = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const [tooMany, setTooMany] = useState(0);
  const isSending = state.sending !== undefined;
  const isFilled = Boolean(shown);
  const { zone, ...focus } = useKeptFocus(`${isSending} ${isFilled}`);
  /** Returns whether there were files. */
  const take = (files: readonly File[]): boolean => {
    const isRefused = !isMultiple && files.length > 1;
    setTooMany(isRefused ? files.length : 0);
    if (files.length > 0 && !isRefused) onFiles(files);
    return files.length > 0;
  };
  const closeChoice = () => {
    setIsChoosing(false);
    opener.current?.focus();
  };
  const thing = `${isMultiple ? 'files' : isFilled ? 'another file' : 'a file'}${label === undefined ? '' : ` for ${label}`}`;
  return (
    <Paper
      ref={zone}
      p="sm"
      data-drop={label}
      style={{
        border: `1px ${isFilled && !isOver ? 'solid' : 'dashed'} var(${isOver ? '--mantine-primary-color-filled' : '--mantine-color-default-border'})`,
        ...(isOver ? { background: 'var(--mantine-color-default-hover)' } : {}),
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        if (take(filesOf(event.dataTransfer))) event.preventDefault();
      }}
      onPaste={(event) => {
        if (take(filesOf(event.clipboardData))) event.preventDefault();
      }}
      {...focus}
    >
      <Stack gap="sm" align="stretch">
        {shown}
        {!isSending && (
          <Group gap="xs">
            {isFilled && <Text size="sm">Replace:</Text>}
            <Button
              variant="default"
              size="xs"
              aria-label={`Upload ${thing}`}
              onClick={() => chooser.current?.click()}
            >
              Upload
            </Button>
            {onChoose && (
              <Button
                ref={opener}
                variant="default"
                size="xs"
                aria-label={`Choose ${thing}`}
                onClick={() => setIsChoosing(true)}
              >
                Choose
              </Button>
            )}
            {children}
            <Text size="xs">or drop {isMultiple ? 'files' : 'a file'} here, or paste</Text>
          </Group>
        )}
        <UploadStatus state={state} onCancel={onCancel} />
        {tooMany > 0 && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {tooMany} files were dropped, and there is place for one. None was uploaded.
          </Text>
        )}
      </Stack>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={isMultiple}
        accept={limits.accept?.join(',')}
        aria-label={`File for ${label ?? 'upload'}`}
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      {isChoosing && onChoose && (
        <ChooseFile
          title={`Choose ${thing}`}
          limits={limits}
          onClose={closeChoice}
          onChoose={(file) => {
            closeChoice();
            setTooMany(0);
            onChoose(file);
          }}
        />
      )}
    </Paper>
  );
}

/** Keeps the focus in the zone when the button that has it goes, as `parts` changes. */
function useKeptFocus(parts: string) {
  const zone = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      zone.current?.querySelector('button')?.focus();
  }, [parts]);
  return {
    zone,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      if (relatedTarget !== null) hadFocus.current = false;
    },
  };
}
