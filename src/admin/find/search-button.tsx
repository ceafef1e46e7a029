/**
 * Opens the search over everything, by its button or by Ctrl+K, from any page. Its dialog is loaded when it is first opened.
 */
import { Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { SearchIcon } from '../parts/layout/icons.ts';
import classes from './search-button.module.css';

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

/** Returns what opens the search, as Ctrl+K does, and its dialog, which stands once in the frame of the pages. */
export function useSearch(): { open: () => void; dialog: ReactNode } {
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
  return { open, dialog: dialog && <dialog.FindDialog isOpen={isOpen} onClose={close} /> };
}

/** The button, as wide as its place. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      fullWidth
      justify="start"
      leftSection={<SearchIcon size={15} aria-hidden />}
      rightSection={
        <Kbd size="xs" aria-hidden>
          {isMac ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      }
      className={classes.find}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onClick}
    >
      Search
    </Button>
  );
}
