/**
 * Follows the state of the editor in components.
 */
import type { Editor } from '@tiptap/core';
import { useSyncExternalStore } from 'react';

/** Follows a text that is read from the editor. */
export function useEditorState(editor: Editor, read: () => string): string {
  return useSyncExternalStore((notify) => {
    editor.on('transaction', notify);
    return () => void editor.off('transaction', notify);
  }, read);
}
