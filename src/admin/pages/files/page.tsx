/**
 * The page that lists the files: searches them, shows which assets use them, uploads and deletes. The URL holds the search.
 */
import { Anchor, Button, Checkbox, Code, FileButton, Group, List, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { admin, answer, type FileUse, type ListedFile } from '../../api.ts';
import { TypeName } from '../../parts/assets/asset-name.tsx';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { Dialog } from '../../parts/confirm/dialog.tsx';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { useParameters } from '../../parts/data/use-parameters.ts';
import { DropZone } from '../../parts/files/drop-zone.tsx';
import { describeBytes, describeKind, toFileAddress } from '../../parts/files/file-address.ts';
import { Thumbnail } from '../../parts/files/thumbnail.tsx';
import { UploadStatus } from '../../parts/files/upload-status.tsx';
import { filesOf, useUpload } from '../../parts/files/use-upload.ts';
import { InBar } from '../../parts/layout/in-bar.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { LoadedPages } from '../../parts/layout/paging.tsx';
import { ListSearch } from '../../parts/list/list-search.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';

export default function Files() {
  const [parameters, change] = useParameters();
  const search = parameters.get('search') ?? '';
  // A check box must show its change at once, which the address may show later.
  const [isUnused, setUnused] = useState(parameters.has('unused'));
  const upload = useFileUpload();
  const set = (name: string, isSet: boolean, value = '') =>
    change(
      (before) => {
        if (isSet) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return (
    <Page title="Files" actions={<UploadButton onFiles={upload.start} />}>
      <InBar>
        <ListSearch
          label="Search files"
          placeholder="Words of the name, or a hash"
          search={search}
          onSearch={(text) => set('search', text !== '', text)}
        />
        <Checkbox
          label="Only files that no asset uses"
          checked={isUnused}
          onChange={({ currentTarget: { checked } }) => {
            setUnused(checked);
            set('unused', checked);
          }}
        />
      </InBar>
      <FileList search={search} isUnused={isUnused} upload={upload} />
    </Page>
  );
}

/** Uploads files that assets use later. */
function useFileUpload(): Upload {
  const client = useQueryClient();
  return useUpload({
    onUploaded: ({ name }) => {
      notifications.show({ message: `${name} is uploaded`, color: 'green' });
      void client.invalidateQueries({ queryKey: ['files'] });
    },
  });
}

type Upload = ReturnType<typeof useUpload>;

/** Asks the browser for files. */
function UploadButton({ onFiles }: { onFiles: Upload['start'] }) {
  return (
    <FileButton multiple onChange={onFiles} inputProps={{ 'aria-label': 'File for upload' }}>
      {(button) => (
        <Button aria-label="Upload files" {...button}>
          Upload
        </Button>
      )}
    </FileButton>
  );
}

/** The place to drop files while some are dragged over the window, and where there is none yet; otherwise how far an upload is. */
function DropPlace({ upload: { state, start, cancel }, isEmpty }: { upload: Upload; isEmpty: boolean }) {
  const [isDragged, setIsDragged] = useState(false);
  useWindowEvent('dragenter', ({ dataTransfer }) => {
    if (dataTransfer?.types.includes('Files')) setIsDragged(true);
  });
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setIsDragged(false);
  });
  useWindowEvent('drop', () => setIsDragged(false));
  useWindowEvent('paste', ({ target, clipboardData }) => {
    const isInText = target instanceof HTMLInputElement;
    if (clipboardData && !isInText) start(filesOf(clipboardData));
  });
  if (!isDragged && !isEmpty) return <UploadStatus state={state} onCancel={cancel} />;
  return <DropZone isMultiple state={state} onFiles={start} onCancel={cancel} />;
}

function FileList({ search, isUnused, upload }: { search: string; isUnused: boolean; upload: Upload }) {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['files', search, isUnused],
    queryFn: ({ pageParam: after, signal }) =>
      answer(
        admin.listFiles({
          query: {
            ...(search && { search }),
            ...(isUnused && { unused: true }),
            ...(after !== undefined && { after }),
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const [shown, setShown] = useState<ListedFile>();
  const [removed, setRemoved] = useState<ListedFile>();
  const empty = (
    <EmptyState title="No files">
      {search || isUnused
        ? 'No file matches.'
        : 'Files appear here once they are uploaded, by a form of an asset or by a program.'}
    </EmptyState>
  );
  return (
    <div>
      <DropPlace
        upload={upload}
        isEmpty={!search && !isUnused && query.data?.pages.every(({ items }) => items.length === 0) === true}
      />
      <LoadedPages query={query} what="files" more="Show more files" empty={empty}>
        {(files) => <FileTable files={files} onShowUses={setShown} onDelete={setRemoved} />}
      </LoadedPages>
      {shown && <FileUses file={shown} onClose={() => setShown(undefined)} />}
      {removed && (
        <Confirm
          title={`Delete ${removed.name}?`}
          consequence="Its address stops working. Caches may keep the file until they are purged."
          action="Delete"
          isOpen
          onClose={() => setRemoved(undefined)}
          onConfirm={async () => {
            await answer(admin.deleteFile({ path: { hash: removed.hash } }));
            setRemoved(undefined);
            notifications.show({ message: `${removed.name} is deleted`, color: 'green' });
            await client.invalidateQueries({ queryKey: ['files'] });
          }}
        />
      )}
    </div>
  );
}

/** Lists the assets. */
function FileUses({ file, onClose }: { file: ListedFile; onClose: () => void }) {
  const query = useInfiniteQuery({
    queryKey: ['files', 'uses', file.hash],
    queryFn: ({ pageParam: after, signal }) =>
      answer(
        admin.listFileUses({
          path: { hash: file.hash },
          query: after === undefined ? {} : { after },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Dialog opened onClose={onClose} title={`What uses ${file.name}`}>
      <Text size="sm" mb="sm">
        These assets have the file in their values or in their history.
      </Text>
      <LoadedPages query={query} what="uses" more="Show more assets">
        {(uses) => (
          <List size="sm" aria-label="Assets that use the file">
            {uses.map((use) => (
              <List.Item key={use._id}>
                <Use use={use} />
              </List.Item>
            ))}
          </List>
        )}
      </LoadedPages>
    </Dialog>
  );
}

function Use({ use: { _id, _type, title } }: { use: FileUse }) {
  if (_type === undefined) {
    return (
      <>
        <Code>{_id}</Code>, which was deleted
      </>
    );
  }
  return (
    <>
      <Anchor component={Link} to={pathOfAsset({ _id, _type })} size="sm" underline="always">
        {title}
      </Anchor>{' '}
      (<TypeName className={_type} />)
    </>
  );
}

/** One page of files. A file that assets use cannot be deleted. */
function FileTable({
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
    { id: 'kind', head: 'Kind', cell: describeKind },
    { id: 'size', head: 'Size', isFigure: true, cell: ({ bytes }) => describeBytes(bytes) },
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

/** The name, which opens the file in a new tab. */
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
