/**
 * Uploads pictures that are pasted or dropped into the text, and inserts them where that was.
 */
import type { Editor } from '@tiptap/core';
import type { EditorProps } from '@tiptap/pm/view';
import { useEffect, useRef } from 'react';
import { toFilePath } from '../../../../../../../text/file-url.ts';
import { filesOf, useUpload } from '../../../../../../parts/files/use-upload.ts';

/** Follows the uploads of an editor; `take` uploads pictures and inserts them at a position. */
export function usePictures(editor: Editor | undefined) {
  /** Where the next picture goes, as the text changes before it. */
  const position = useRef(0);
  useEffect(() => {
    const follow = ({ transaction }: { transaction: { mapping: { map(at: number): number } } }) => {
      position.current = transaction.mapping.map(position.current);
    };
    editor?.on('transaction', follow);
    return () => void editor?.off('transaction', follow);
  }, [editor]);
  const { state, start, cancel } = useUpload(
    {
      onUploaded: (file) => {
        const attrs = { src: toFilePath(file), alt: '' };
        editor?.chain().insertContentAt(position.current, { type: 'image', attrs }).run();
      },
    },
    { accept: ['image/*'] },
  );
  const take = (files: readonly File[], at: number) => {
    position.current = at;
    start(files);
  };
  return { state, cancel, take };
}

/** Creates the handlers of pastes and drops of pictures. */
export function createPictureHandlers(
  take: (files: readonly File[], at: number) => void,
): Pick<EditorProps, 'handlePaste' | 'handleDrop'> {
  return {
    handlePaste(view, { clipboardData }) {
      const files = filesOf(clipboardData);
      // Programs such as Word add a picture of the text that was copied.
      if (files.length === 0 || hasText(clipboardData?.getData('text/html'))) return false;
      take(files, view.state.selection.to);
      return true;
    },
    handleDrop(view, { dataTransfer, clientX, clientY }, _, isMoved) {
      const files = filesOf(dataTransfer);
      if (isMoved || files.length === 0) return false;
      const at = view.posAtCoords({ left: clientX, top: clientY })?.pos;
      take(files, at ?? view.state.selection.to);
      return true;
    },
  };
}

/** Whether HTML has more than a picture in it. */
function hasText(html = ''): boolean {
  const template = document.createElement('template');
  template.innerHTML = html;
  return (template.content.textContent ?? '').trim() !== '';
}
