/**
 * What the buttons of the editor do.
 */
import type { Editor } from '@tiptap/core';
import type { CSSProperties } from 'react';

/** One button. */
export interface EditorAction {
  readonly name: string;
  /** What the button shows, and how. */
  readonly sign: string;
  readonly style?: CSSProperties;
  /** The keys that do the same, as `aria-keyshortcuts` has them. */
  readonly keys?: string;
  /** Whether the selection has it; absent where a button changes something once. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly isPossible?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
}

const chain = (editor: Editor) => editor.chain().focus();

const heading = (level: 2 | 3 | 4): EditorAction => ({
  name: `H${level} heading`,
  sign: `H${level}`,
  keys: `Control+Alt+${level}`,
  isOn: (editor) => editor.isActive('heading', { level }),
  run: (editor) => chain(editor).toggleHeading({ level }).run(),
});

/** The actions in groups, in the order of their buttons. */
export const actionGroups: readonly (readonly EditorAction[])[] = [
  [
    {
      name: 'Bold',
      sign: 'B',
      keys: 'Control+B',
      isOn: (editor) => editor.isActive('bold'),
      run: (editor) => chain(editor).toggleBold().run(),
    },
    {
      name: 'Italic',
      sign: 'I',
      style: { fontStyle: 'italic' },
      keys: 'Control+I',
      isOn: (editor) => editor.isActive('italic'),
      run: (editor) => chain(editor).toggleItalic().run(),
    },
    {
      name: 'Underline',
      sign: 'U',
      style: { textDecoration: 'underline' },
      keys: 'Control+U',
      isOn: (editor) => editor.isActive('underline'),
      run: (editor) => chain(editor).toggleUnderline().run(),
    },
    {
      name: 'Strikethrough',
      sign: 'S',
      style: { textDecoration: 'line-through' },
      keys: 'Control+Shift+S',
      isOn: (editor) => editor.isActive('strike'),
      run: (editor) => chain(editor).toggleStrike().run(),
    },
    {
      name: 'Code',
      sign: '<>',
      keys: 'Control+E',
      isOn: (editor) => editor.isActive('code'),
      run: (editor) => chain(editor).toggleCode().run(),
    },
  ],
  [heading(2), heading(3), heading(4)],
  [
    {
      name: 'Bullet list',
      sign: '•',
      keys: 'Control+Shift+8',
      isOn: (editor) => editor.isActive('bulletList'),
      run: (editor) => chain(editor).toggleBulletList().run(),
    },
    {
      name: 'Numbered list',
      sign: '№',
      keys: 'Control+Shift+7',
      isOn: (editor) => editor.isActive('orderedList'),
      run: (editor) => chain(editor).toggleOrderedList().run(),
    },
    {
      name: 'Indent the item',
      sign: '→',
      isPossible: (editor) => editor.can().sinkListItem('listItem'),
      run: (editor) => chain(editor).sinkListItem('listItem').run(),
    },
    {
      name: 'Outdent the item',
      sign: '←',
      isPossible: (editor) => editor.can().liftListItem('listItem'),
      run: (editor) => chain(editor).liftListItem('listItem').run(),
    },
    {
      name: 'Quotation',
      sign: '“ ”',
      keys: 'Control+Shift+B',
      isOn: (editor) => editor.isActive('blockquote'),
      run: (editor) => chain(editor).toggleBlockquote().run(),
    },
    {
      name: 'Code block',
      sign: '{ }',
      keys: 'Control+Alt+C',
      isOn: (editor) => editor.isActive('codeBlock'),
      run: (editor) => chain(editor).toggleCodeBlock().run(),
    },
    {
      name: 'Horizontal line',
      sign: '—',
      run: (editor) => chain(editor).setHorizontalRule().run(),
    },
  ],
  [
    {
      name: 'Undo',
      sign: 'Undo',
      keys: 'Control+Z',
      isPossible: (editor) => editor.can().undo(),
      run: (editor) => chain(editor).undo().run(),
    },
    {
      name: 'Redo',
      sign: 'Redo',
      keys: 'Control+Shift+Z',
      isPossible: (editor) => editor.can().redo(),
      run: (editor) => chain(editor).redo().run(),
    },
    {
      name: 'Plain text',
      sign: 'Plain',
      run: (editor) => chain(editor).clearNodes().unsetAllMarks().run(),
    },
  ],
];
