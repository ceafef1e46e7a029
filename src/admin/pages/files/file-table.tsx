/**
 * Files in a table, with their pictures.
 */
import { Anchor, Button, Group, Table } from '@mantine/core';
import type { ListedFile } from '../../api.ts';
import { describeFile, toFileAddress } from '../../parts/files/file-address.ts';
import { Thumbnail } from '../../parts/files/thumbnail.tsx';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';

const countOf = ({ uses }: ListedFile) => (uses === 1 ? '1 asset' : `${uses} assets`);

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
  return (
    <DataTable label="Files" columns={['File', 'Kind and size', 'Uploaded', 'Used by', 'Action']} isContent>
      {files.map((file) => (
        <Table.Tr key={file.hash}>
          <Table.Td miw={200} maw={420}>
            <Group gap="xs" wrap="nowrap">
              <Thumbnail file={file} size={32} />
              <Anchor
                href={toFileAddress(file)}
                target="_blank"
                rel="noreferrer"
                size="sm"
                fw={500}
                truncate
                title={file.name}
                dir="auto"
              >
                {file.name}
              </Anchor>
            </Group>
          </Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>{describeFile(file)}</Table.Td>
          <Table.Td>
            <Ago ms={file.uploadedAt} />
          </Table.Td>
          <Table.Td>
            {file.uses === 0 ? (
              'No asset'
            ) : (
              <Button
                size="compact-sm"
                variant="transparent"
                px={0}
                aria-label={`${countOf(file)} with ${file.name}`}
                onClick={() => onShowUses(file)}
              >
                {countOf(file)}
              </Button>
            )}
          </Table.Td>
          <Table.Td>
            {mayDelete && file.uses === 0 && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Delete ${file.name}`}
                onClick={() => onDelete(file)}
              >
                Delete
              </Button>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
