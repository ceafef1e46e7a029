/**
 * What the buttons of the editor do.
 */
import type { Editor } from '@tiptap/core';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  toggleHeader,
} from '@tiptap/pm/tables';
import type { ComponentType } from 'react';
import {
  AlignCenterIcon,
  AlignEndIcon,
  AlignJustifyIcon,
  AlignStartIcon,
  BoldIcon,
  BulletListIcon,
  ClearFormatIcon,
  CodeIcon,
  IndentIcon,
  ItalicIcon,
  LineIcon,
  NumberedListIcon,
  OutdentIcon,
  QuoteIcon,
  RedoIcon,
  StrikeIcon,
  SubscriptIcon,
  SuperscriptIcon,
  UnderlineIcon,
  UndoIcon,
} from '../../../../../parts/layout/icons.ts';
import { align, alignmentAt } from './scripts-and-alignment.ts';
import type { Alignment } from './spelling.ts';

/** One button. */
export interface EditorAction {
  readonly name: string;
  /** What the button shows; the name itself without it. */
  readonly icon?: ComponentType<{ size: number }>;
  /** The keys that do the same, as `aria-keyshortcuts` has them. */
  readonly keys?: string;
  /** Whether the selection has it; absent where a button changes something once. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly isPossible?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
}

/** Begins a change of the text, which has the focus at once: keys that follow a button are text. */
function chain(editor: Editor) {
  // `focus()` of Tiptap waits for the next frame.
  editor.view.focus();
  return editor.chain().scrollIntoView();
}

const alignment = (name: string, value: Alignment, icon: ComponentType<{ size: number }>): EditorAction => ({
  name,
  icon,
  isOn: (editor) => alignmentAt(editor) === value,
  run: (editor) => align(editor, value),
});

/** The actions in groups, in the order of their buttons. */
export const actionGroups: readonly (readonly EditorAction[])[] = [
  [
    {
      name: 'Bold',
      icon: BoldIcon,
      keys: 'Control+B',
      isOn: (editor) => editor.isActive('bold'),
      run: (editor) => chain(editor).toggleBold().run(),
    },
    {
      name: 'Italic',
      icon: ItalicIcon,
      keys: 'Control+I',
      isOn: (editor) => editor.isActive('italic'),
      run: (editor) => chain(editor).toggleItalic().run(),
    },
    {
      name: 'Underline',
      icon: UnderlineIcon,
      keys: 'Control+U',
      isOn: (editor) => editor.isActive('underline'),
      run: (editor) => chain(editor).toggleUnderline().run(),
    },
    {
      name: 'Strikethrough',
      icon: StrikeIcon,
      keys: 'Control+Shift+S',
      isOn: (editor) => editor.isActive('strike'),
      run: (editor) => chain(editor).toggleStrike().run(),
    },
    {
      name: 'Code',
      icon: CodeIcon,
      keys: 'Control+E',
      isOn: (editor) => editor.isActive('code'),
      run: (editor) => chain(editor).toggleCode().run(),
    },
    {
      name: 'Subscript',
      icon: SubscriptIcon,
      keys: 'Control+,',
      isOn: (editor) => editor.isActive('subscript'),
      run: (editor) => chain(editor).toggleMark('subscript').run(),
    },
    {
      name: 'Superscript',
      icon: SuperscriptIcon,
      keys: 'Control+.',
      isOn: (editor) => editor.isActive('superscript'),
      run: (editor) => chain(editor).toggleMark('superscript').run(),
    },
  ],
  [
    {
      name: 'Bullet list',
      icon: BulletListIcon,
      keys: 'Control+Shift+8',
      isOn: (editor) => editor.isActive('bulletList'),
      run: (editor) => chain(editor).toggleBulletList().run(),
    },
    {
      name: 'Numbered list',
      icon: NumberedListIcon,
      keys: 'Control+Shift+7',
      isOn: (editor) => editor.isActive('orderedList'),
      run: (editor) => chain(editor).toggleOrderedList().run(),
    },
    {
      name: 'Indent the item',
      icon: IndentIcon,
      isPossible: (editor) => editor.can().sinkListItem('listItem'),
      run: (editor) => chain(editor).sinkListItem('listItem').run(),
    },
    {
      name: 'Outdent the item',
      icon: OutdentIcon,
      isPossible: (editor) => editor.can().liftListItem('listItem'),
      run: (editor) => chain(editor).liftListItem('listItem').run(),
    },
    {
      name: 'Quote',
      icon: QuoteIcon,
      keys: 'Control+Shift+B',
      isOn: (editor) => editor.isActive('blockquote'),
      run: (editor) => chain(editor).toggleBlockquote().run(),
    },
    {
      name: 'Horizontal line',
      icon: LineIcon,
      run: (editor) => chain(editor).setHorizontalRule().run(),
    },
  ],
  [
    alignment('Align to the start', 'start', AlignStartIcon),
    alignment('Align to the centre', 'center', AlignCenterIcon),
    alignment('Align to the end', 'end', AlignEndIcon),
    alignment('Justify', 'justify', AlignJustifyIcon),
  ],
  [
    {
      name: 'Undo',
      icon: UndoIcon,
      keys: 'Control+Z',
      isPossible: (editor) => editor.can().undo(),
      run: (editor) => chain(editor).undo().run(),
    },
    {
      name: 'Redo',
      icon: RedoIcon,
      keys: 'Control+Shift+Z',
      isPossible: (editor) => editor.can().redo(),
      run: (editor) => chain(editor).redo().run(),
    },
    {
      name: 'Plain text',
      icon: ClearFormatIcon,
      run: (editor) => chain(editor).clearNodes().unsetAllMarks().run(),
    },
  ],
];

type TableCommand = typeof addRowAfter;

const change = (name: string, command: TableCommand): EditorAction => ({
  name,
  isPossible: ({ state }) => command(state),
  run: ({ state, view }) => {
    command(state, view.dispatch);
    view.focus();
  },
});

/** What is done to the table with the cursor. */
export const tableActions: readonly EditorAction[] = [
  change('Row above', addRowBefore),
  change('Row below', addRowAfter),
  change('Delete row', deleteRow),
  change('Column before', addColumnBefore),
  change('Column after', addColumnAfter),
  change('Delete column', deleteColumn),
  change('Header row', toggleHeader('row')),
  change('Delete table', deleteTable),
];

/** The styles of a block, by the value of the choice. */
export const blockStyles: Readonly<Record<string, string>> = {
  paragraph: 'Text',
  '1': 'Heading 1',
  '2': 'Heading 2',
  '3': 'Heading 3',
  '4': 'Heading 4',
  '5': 'Heading 5',
  '6': 'Heading 6',
  codeBlock: 'Code block',
};

/** The style of the block with the cursor. */
export function blockStyleAt(editor: Editor): string {
  const { type, attrs } = editor.state.selection.$from.parent;
  if (type.name === 'heading') return String(attrs.level);
  return type.name === 'codeBlock' ? 'codeBlock' : 'paragraph';
}

/** Gives the selected blocks a style. */
export function setBlockStyle(editor: Editor, style: string): void {
  if (style === 'paragraph') chain(editor).setParagraph().run();
  else if (style === 'codeBlock') chain(editor).setCodeBlock().run();
  // Safe: the other styles are the levels.
  else
    chain(editor)
      .setHeading({ level: Number(style) as 2 })
      .run();
}
