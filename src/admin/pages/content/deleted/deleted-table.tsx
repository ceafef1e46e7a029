/**
 * Deleted assets in a list, from which some are restored.
 */
import { Alert, Box, Button, Group, List, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DeletedContent } from '../../../api.ts';
import { ActorName, RunLink } from '../../../parts/changes/actor-name.tsx';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { selectRows } from '../../../parts/list/selected-rows.ts';
import { Ago } from '../../../parts/time/ago.tsx';
import { useMay } from '../../../roles.ts';
import { useRestoreDeleted } from './restore-deleted.tsx';

const idOf = ({ _id }: DeletedContent) => _id;

/** The list under `filters`, whose place what can be done with the selected assets takes; `children` follow it. */
export function DeletedTable({
  items,
  filters,
  children,
}: {
  items: readonly DeletedContent[];
  filters: ReactNode;
  children: ReactNode;
}) {
  const mayRestore = useMay('editor');
  const nameOf = useTypeNames();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { restore, isPending, failures } = useRestoreDeleted();
  const selected = items.filter(({ _id }) => chosen.has(_id));
  const columns: readonly ListColumn<DeletedContent>[] = [
    {
      id: 'title',
      head: 'Title',
      cell: ({ title }) => (
        <Text span inherit display="block" maw={420} truncate title={title}>
          {title}
        </Text>
      ),
    },
    { id: 'type', head: 'Type', cell: ({ _type }) => nameOf(_type) },
    { id: 'deleted', head: 'Deleted', cell: ({ at }) => <Ago ms={at} /> },
    { id: 'who', head: 'Who', cell: ({ by }) => <ActorName actor={by} /> },
    ...(items.some(({ run }) => run !== undefined)
      ? [{ id: 'run', head: 'Run', cell: ({ run }: DeletedContent) => <RunLink name={run} /> }]
      : []),
  ];
  return (
    <>
      {failures.length > 0 && (
        <Alert
          color="red"
          variant="light"
          title={`${countOf(failures.length, 'asset')} could not be restored`}
        >
          <List size="sm" listStyleType="none">
            {failures.map(({ title, message }) => (
              <List.Item key={title}>
                {title}: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {selected.length === 0 ? (
        filters
      ) : (
        <Box component="section" aria-label="Selected assets">
          <Group gap="xs" mih={36}>
            <Text size="sm" role="status">{`${countOf(selected.length, 'asset')} selected`}</Text>
            <Button
              size="compact-sm"
              loading={isPending}
              onClick={() => {
                restore(selected);
                setChosen(new Set());
              }}
            >
              Restore
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
              Clear selection
            </Button>
          </Group>
        </Box>
      )}
      {items.length > 0 && (
        <ResourceList
          label="Deleted assets"
          columns={columns}
          rows={items}
          isWhole={false}
          idOf={idOf}
          nameOf={({ title }) => title}
          hrefOf={pathOfAsset}
          {...(mayRestore && {
            selection: selectRows({ chosen, onChange: setChosen, idOf }),
            menuOf: (deleted: DeletedContent) => [{ label: 'Restore', run: () => restore([deleted]) }],
          })}
        />
      )}
      <div>{children}</div>
    </>
  );
}
