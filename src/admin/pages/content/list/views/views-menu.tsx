/**
 * The saved views of a list: a menu that opens them, and what saves and manages them.
 */
import { Button, Popover, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedView } from '../../../../api.ts';
import { ViewsIcon } from '../../../../parts/layout/icons.ts';
import { Loading } from '../../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { ManageViews, SaveView } from './manage-views.tsx';
import { type FittingView, fitView, type ShownList, savedViews } from './view-data.ts';

/** The button with its menu. */
export function ViewsMenu({ onOpen, ...shown }: ShownList & { onOpen: (view: FittingView) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const views = useQuery({ ...savedViews(shown.type.class), enabled: isOpen || dialog !== undefined });
  const items = views.data?.items ?? [];
  const show = (next: 'save' | 'manage') => {
    setIsOpen(false);
    setDialog(next);
  };
  const open = (view: SavedView) => {
    setIsOpen(false);
    const fitting = fitView(shown.type, view);
    onOpen(fitting);
    if (fitting.lost.length === 0) return;
    notifications.show({
      title: `"${view.name}" is older than the fields of the type`,
      message: `The type no longer has what these name, so they are left out: ${fitting.lost.join('; ')}.`,
      color: 'orange',
      autoClose: false,
    });
  };
  const group = (title: string, some: readonly SavedView[]) =>
    some.length > 0 && (
      <Stack gap={0} role="group" aria-label={title}>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        {some.map((view) => (
          <Button
            key={view.id}
            variant="subtle"
            size="xs"
            justify="flex-start"
            dir="auto"
            title={view.name}
            onClick={() => open(view)}
          >
            {view.name}
          </Button>
        ))}
      </Stack>
    );
  return (
    <>
      <Popover position="bottom-end" width={260} trapFocus withRoles opened={isOpen} onChange={setIsOpen}>
        <Popover.Target>
          <Button
            variant="default"
            px="sm"
            leftSection={<ViewsIcon size={16} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            Views
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Views" mah="60vh" style={{ overflowY: 'auto' }}>
          <Stack gap="xs">
            {views.isPending && <Loading />}
            <ProblemAlert error={views.error} title="Could not load the views" onRetry={views.refetch} />
            {views.data && items.length === 0 && (
              <Text size="sm">
                A view keeps the search, the filters, the order and the columns of the list.
              </Text>
            )}
            {group(
              'My views',
              items.filter(({ shared }) => !shared),
            )}
            {group(
              'For everybody',
              items.filter(({ shared }) => shared),
            )}
            <Button variant="default" size="xs" onClick={() => show('save')}>
              Save this view…
            </Button>
            {items.some(({ mayChange }) => mayChange) && (
              <Button variant="default" size="xs" onClick={() => show('manage')}>
                Manage views…
              </Button>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {dialog === 'save' && <SaveView shown={shown} onClose={() => setDialog(undefined)} />}
      {dialog === 'manage' && (
        <ManageViews shown={shown} views={items} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
