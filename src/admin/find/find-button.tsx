/**
 * Opens the search over everything, by its button or by Ctrl+K, from any page. Its dialog is loaded when it is first opened.
 */
import { Button, Kbd, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SearchIcon } from '../parts/layout/icons.ts';

/** The dialog as a query, so that what does not load is asked for again when the dialog is opened again. */
const dialogCode = {
  queryKey: ['code', 'find'],
  queryFn: () => import('./find-dialog.tsx'),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  structuralSharing: false,
  networkMode: 'always' as const,
};

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** The button in the header. */
export function FindButton() {
  const [isOpen, { open, close }] = useDisclosure();
  const { data: dialog, isError } = useQuery({ ...dialogCode, enabled: isOpen });
  useEffect(() => {
    if (!isOpen || !isError || dialog) return;
    close();
    notifications.show({ message: 'The search could not be loaded. Try again.', color: 'red' });
  }, [isOpen, isError, dialog, close]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isKey = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // An editor that has this key for itself prevents its default.
      if (!isKey || event.key.toLowerCase() !== 'k' || event.defaultPrevented) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <>
      <Button variant="default" size="xs" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <SearchIcon size={16} aria-hidden />
        <Text span inherit visibleFrom="sm" mx="xs">
          Search
        </Text>
        <VisuallyHidden className="mantine-hidden-from-sm">Search</VisuallyHidden>
        <Kbd size="xs" aria-hidden visibleFrom="sm">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      </Button>
      {dialog && <dialog.FindDialog isOpen={isOpen} onClose={close} />}
    </>
  );
}
