/**
 * The dialog that renames and deletes views, sets them to what the list shows, and says who sees them.
 */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { admin, answer, type SavedView } from '../../../../api.ts';
import { Confirm } from '../../../../parts/confirm/confirm.tsx';
import { TextDialog } from '../../../../parts/confirm/dialog.tsx';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { useMay } from '../../../../roles.ts';
import type { ShownList } from './view-data.ts';

/** The dialog, with the views that the user may change. */
export function ManageViews({
  shown,
  views,
  onClose,
}: {
  shown: ShownList;
  views: readonly SavedView[];
  onClose: () => void;
}) {
  const [renamed, setRenamed] = useState<readonly string[]>([]);
  const changeable = views.filter(({ mayChange }) => mayChange);
  return (
    <TextDialog opened onClose={onClose} isUnsaved={renamed.length > 0} title="Manage views" size="lg">
      <Stack gap="lg">
        {changeable.length === 0 && <Text size="sm">There are no views that you can change.</Text>}
        {changeable.map((view) => (
          <ViewForm
            key={view.id}
            view={view}
            shown={shown}
            onTyped={(isRenamed) =>
              setRenamed((before) => [
                ...before.filter((id) => id !== view.id),
                ...(isRenamed ? [view.id] : []),
              ])
            }
          />
        ))}
      </Stack>
    </TextDialog>
  );
}

function ViewForm({
  view,
  shown: { query, columns },
  onTyped,
}: {
  view: SavedView;
  shown: ShownList;
  /** Called with whether a new name is typed that is not saved. */
  onTyped: (isRenamed: boolean) => void;
}) {
  const { id, name, shared, isMine, owner } = view;
  const [typed, setTyped] = useState(name);
  const [isDeleting, setIsDeleting] = useState(false);
  const mayShare = useMay('editor');
  const client = useQueryClient();
  const { run, error, isPending } = useAction(async ({ act, done }: Change) => {
    await act();
    await client.invalidateQueries({ queryKey: ['views'] });
    notifications.show({ message: done });
  });
  const update = (body: Parameters<typeof admin.updateView>[0]['body'], done: string) =>
    run({ act: () => answer(admin.updateView({ path: { id }, body })), done });
  const newName = typed.trim();
  const isRenamed = newName !== '' && newName !== name;
  useEffect(() => onTyped(isRenamed), [isRenamed]);
  return (
    <Stack gap="xs" role="group" aria-label={name}>
      <Group gap="xs" align="end">
        <TextInput
          label="Name"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={maxName}
          autoComplete="off"
          flex="1 1 200px"
        />
        <Button
          variant="default"
          disabled={isPending || !isRenamed}
          onClick={() => update({ name: newName }, `View renamed to "${newName}"`)}
        >
          Rename
        </Button>
        <Button
          variant="default"
          disabled={isPending}
          onClick={() =>
            update(
              { query, columns: columns ? [...columns] : null },
              `View "${name}" shows what the list shows now`,
            )
          }
        >
          Set to this list
        </Button>
        {isDeleting ? (
          <Button
            color="red"
            disabled={isPending}
            onClick={() =>
              run({ act: () => answer(admin.deleteView({ path: { id } })), done: `View "${name}" deleted` })
            }
          >
            Delete it now
          </Button>
        ) : (
          <Button variant="default" disabled={isPending} onClick={() => setIsDeleting(true)}>
            Delete…
          </Button>
        )}
      </Group>
      {mayShare && isMine && (
        <Checkbox
          label="For everybody"
          checked={shared}
          disabled={isPending}
          onChange={(event) => {
            const next = event.currentTarget.checked;
            update({ shared: next }, next ? `Everybody sees "${name}"` : `Only the owner sees "${name}"`);
          }}
        />
      )}
      {!isMine && (
        <Text size="xs" c="dimmed">
          Saved by {owner} for everybody.
        </Text>
      )}
      <ProblemAlert error={error} title="The view could not be changed" />
    </Stack>
  );
}

interface Change {
  readonly act: () => Promise<unknown>;
  /** What to say when it is done. */
  readonly done: string;
}

/** The longest name that the server takes. */
const maxName = 100;

/** The dialog. */
export function SaveView({
  shown: { type, query, columns },
  onClose,
}: {
  shown: ShownList;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const mayShare = useMay('editor');
  const client = useQueryClient();
  return (
    <Confirm
      title="Save this view"
      consequence="The view keeps the search, the filters, the order, the columns and the size of the pages."
      action="Save view"
      color="indigo"
      isReady={name.trim() !== ''}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        const chosen = columns && { columns: [...columns] };
        const body = { name: name.trim(), type: type.class, query, shared, ...chosen };
        await answer(admin.createView({ body }));
        await client.invalidateQueries({ queryKey: ['views'] });
        notifications.show({ message: `View "${body.name}" saved` });
        onClose();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={maxName}
        autoComplete="off"
        data-autofocus
      />
      {mayShare && (
        <Checkbox
          label="For everybody"
          description="All users see the view, and all editors can change it."
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  );
}
