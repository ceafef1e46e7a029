/**
 * Files in a list, with their pictures.
 */
import { Anchor, Button, Group } from '@mantine/core';
import type { ListedFile } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { describeFile, toFileAddress } from '../../parts/files/file-address.ts';
import { Thumbnail } from '../../parts/files/thumbnail.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';

/** One page of files. A file that assets use cannot be deleted. */
export function FileTable({
  files,
  onShowUses,
  onDelete,
}: {
  files: readonly ListedFile[];
  onShowUses: (file: ListedFile) => void;
  onDelete: (file: ListedFile) => void;
}) {
  const mayDelete = useMay('editor');
  const columns: readonly ListColumn<ListedFile>[] = [
    { id: 'name', head: 'File', cell: (file) => <FileLink file={file} /> },
    { id: 'kind', head: 'Kind and size', cell: describeFile },
    { id: 'uploaded', head: 'Uploaded', cell: ({ uploadedAt }) => <Ago ms={uploadedAt} /> },
    {
      id: 'uses',
      head: 'Used by',
      cell: (file) =>
        file.uses === 0 ? (
          'No asset'
        ) : (
          <Button
            size="compact-sm"
            variant="transparent"
            px={0}
            aria-label={`${countOf(file.uses, 'asset')} with ${file.name}`}
            onClick={() => onShowUses(file)}
          >
            {countOf(file.uses, 'asset')}
          </Button>
        ),
    },
  ];
  return (
    <ResourceList
      label="Files"
      columns={columns}
      rows={files}
      isWhole={false}
      idOf={({ hash }) => hash}
      nameOf={({ name }) => name}
      {...(mayDelete && {
        menuOf: (file: ListedFile) =>
          file.uses === 0 ? [{ label: 'Delete…', isDanger: true, run: () => onDelete(file) }] : [],
      })}
    />
  );
}

/** The name, which opens the file in a tab of its own. */
function FileLink({ file }: { file: ListedFile }) {
  return (
    <Group component="span" gap="xs" wrap="nowrap" miw={200} maw="min(420px, 60vw)">
      <Thumbnail file={file} size={32} />
      <Anchor
        href={toFileAddress(file)}
        target="_blank"
        rel="noreferrer"
        inherit
        c="inherit"
        truncate
        title={file.name}
        dir="auto"
      >
        {file.name}
      </Anchor>
    </Group>
  );
}
