/**
 * The newest pictures of the platform, each of which one click chooses.
 */
import { Group, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin, answer, type ListedFile } from '../../../../../../api.ts';
import { Thumbnail } from '../../../../../../parts/files/thumbnail.tsx';

const maxShown = 8;

/** The pictures in a row; nothing while there are none. The others are found by the choice of files. */
export function NewestPictures({ onChoose }: { onChoose: (file: ListedFile) => void }) {
  const { data } = useQuery({
    queryKey: ['files', 'newest'],
    queryFn: ({ signal }) => answer(admin.listFiles({ query: { limit: 30 }, signal })),
  });
  const pictures = (data?.items ?? []).filter(({ mediaType }) => mediaType.startsWith('image/'));
  if (pictures.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label="Newest pictures">
      {pictures.slice(0, maxShown).map((file) => (
        <UnstyledButton
          key={file.hash}
          aria-label={`Use ${file.name}`}
          title={file.name}
          onClick={() => onChoose(file)}
        >
          <Thumbnail file={file} size={48} />
        </UnstyledButton>
      ))}
    </Group>
  );
}
