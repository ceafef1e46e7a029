/**
 * The input of a file: uploads it, and edits its name and its alternative text. In a list, several files are added at once.
 */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, use, useRef } from 'react';
import type { Field, UploadedFile } from '../../../../api.ts';
import { labelOf } from '../../../../parts/data/field-label.ts';
import { fieldsOfValue } from '../../../../parts/data/scalar-views.ts';
import { DropZone } from '../../../../parts/files/drop-zone.tsx';
import { describeFile, isPicture, toFileAddress } from '../../../../parts/files/file-address.ts';
import { Thumbnail } from '../../../../parts/files/thumbnail.tsx';
import { useUpload } from '../../../../parts/files/use-upload.ts';
import {
  type Draft,
  type DraftObject,
  isDraftList,
  isDraftObject,
  isUploading,
  toDraftObject,
  toUploading,
} from '../../draft/draft.ts';
import {
  describeHint,
  drawLabel,
  FormContext,
  type InputProps,
  toSentence,
} from '../../draft/form-context.ts';
import { useRemoval } from '../../draft/use-removal.tsx';
import { GroupFrame } from '../field-grid.tsx';

/** Edits a file. `renderMember` renders the input of one of its fields. */
export function FileInput({
  field,
  path,
  draft,
  onChange,
  itemLabel,
  itemActions,
  renderMember,
}: InputProps & { renderMember: (props: InputProps) => ReactNode }) {
  const { shapes, messageAt } = use(FormContext);
  const label = itemLabel ?? labelOf(field);
  const members = fieldsOfValue(field, undefined, shapes);
  const { askToRemove, question } = useRemoval(path, () => onChange(undefined));
  const file = isDraftObject(draft) && !isUploading(draft) ? draft : undefined;
  /** The draft before an upload, which takes its place while it lasts. */
  const before = useRef<DraftObject>(undefined);
  const { state, start, cancel } = useUpload(
    {
      onStart: ({ name }) => {
        before.current = file;
        onChange(toUploading(name));
      },
      onUploaded: (uploaded) => onChange(toFileDraft(members, uploaded, before.current?.alt)),
      onEnd: () => onChange(before.current),
    },
    field.constraint,
  );
  return (
    <GroupFrame
      name={itemLabel ?? drawLabel(field)}
      path={path}
      hint={itemLabel === undefined ? describeHint(field) : undefined}
      message={toSentence(label, messageAt(path))}
      actions={itemActions}
    >
      {question}
      <DropZone
        label={label}
        limits={field.constraint}
        state={state}
        onFiles={start}
        onCancel={cancel}
        onChoose={(chosen) => onChange(toFileDraft(members, chosen, file?.alt))}
        shown={
          file && (
            <>
              <Shown file={file} label={label} />
              {members
                .filter(
                  ({ name }) => name === 'name' || (name === 'alt' && isPicture(String(file.mediaType))),
                )
                .map((member) =>
                  renderMember({
                    field: member,
                    path: `${path}.${member.name}`,
                    draft: file[member.name],
                    onChange: (value) => onChange({ ...file, [member.name]: value }),
                  }),
                )}
            </>
          )
        }
      >
        {file && !field.required && (
          <Button
            variant="default"
            size="xs"
            aria-label={`Remove ${label}`}
            onClick={() => askToRemove({ key: undefined, name: label, value: file.alt, fresh: undefined })}
          >
            Remove
          </Button>
        )}
      </DropZone>
    </GroupFrame>
  );
}

/** Adds several files to a list. */
export function FileListInput({ field, draft, onChange }: InputProps) {
  const { shapes } = use(FormContext);
  const items = isDraftList(draft) ? draft : [];
  const members = fieldsOfValue(field, undefined, shapes);
  const add = (file: UploadedFile) => {
    const key = Math.max(-1, ...items.map((item) => item.key)) + 1;
    onChange([...items, { key, value: toFileDraft(members, file, undefined) }]);
  };
  const { state, start, cancel } = useUpload({ onUploaded: add }, field.constraint);
  return (
    <DropZone
      label={labelOf(field)}
      limits={field.constraint}
      isMultiple
      state={state}
      onFiles={start}
      onCancel={cancel}
      onChoose={add}
    />
  );
}

function toFileDraft(members: readonly Field[], uploaded: UploadedFile, alt: Draft): DraftObject {
  return { ...toDraftObject(members, uploaded, new Map()), alt };
}

function Shown({ file, label }: { file: DraftObject; label: string }) {
  const [hash, name, mediaType] = [String(file.hash), String(file.name ?? ''), String(file.mediaType)];
  const sizes = { width: Number(file.width), height: Number(file.height), bytes: Number(file.bytes) };
  const address = toFileAddress({ hash, name: name || 'file', mediaType });
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Thumbnail file={{ hash, name: name || 'file', mediaType }} size={120} label={label} />
      <Stack gap={4}>
        <Text size="sm">{describeFile({ mediaType, ...sizes })}</Text>
        <Anchor size="sm" href={address} target="_blank" rel="noreferrer">
          Open {label} in a new tab
        </Anchor>
      </Stack>
    </Group>
  );
}
