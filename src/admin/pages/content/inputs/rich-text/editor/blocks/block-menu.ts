/**
 * The menu of blocks: `/` in an empty paragraph opens it, what follows the `/` filters it, Enter takes a block and Escape keeps the text.
 * The focus stays in the text, whose attributes name the list and its active option. Undo removes the block and the `/` in one step.
 */
import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { actionGroups, blockStyles, type EditorAction, setBlockStyle } from '../actions.ts';

/** The open menu; `first` is where the `/` is. */
interface OpenMenu {
  readonly first: number;
  /** The option that Enter takes. */
  readonly index: number;
  /** Whether a block was taken, so that what follows belongs to the same step of undo. */
  readonly isTaken?: boolean;
}

const key = new PluginKey<OpenMenu | null>('blockMenu');

/** What opens dialogs, by which the menu offers them. It is set when the editor is drawn. */
interface Storage {
  dialogs: readonly EditorAction[];
}

declare module '@tiptap/core' {
  interface Storage {
    blockMenu: { dialogs: readonly EditorAction[] };
  }
}

const style = (value: string): EditorAction => ({
  name: blockStyles[value] ?? value,
  isPossible: (editor) =>
    value === 'codeBlock'
      ? editor.can().setCodeBlock()
      : editor.can().setNode('heading', { level: Number(value) }),
  run: (editor) => setBlockStyle(editor, value),
});

const named = (...names: string[]) =>
  names.flatMap((name) => actionGroups.flat().find((action) => action.name === name) ?? []);

const blocks: readonly EditorAction[] = [
  ...['2', '3', '4'].map(style),
  ...named('Bullet list', 'Numbered list', 'Quote'),
  style('codeBlock'),
  ...named('Horizontal line'),
];

/** The text after the `/`; undefined when the menu is closed. */
function filterOf(state: EditorState): string | undefined {
  const open = key.getState(state);
  if (!open || open.isTaken) return undefined;
  return state.doc.textBetween(open.first + 1, state.selection.from);
}

/** The blocks that match what was typed after the `/`; empty when the menu is closed. */
export function offeredBlocks(editor: Editor): readonly EditorAction[] {
  const filter = filterOf(editor.state)?.toLowerCase();
  if (filter === undefined) return [];
  return [...blocks, ...editor.storage.blockMenu.dialogs].filter(
    ({ name, isPossible }) => name.toLowerCase().includes(filter) && (isPossible?.(editor) ?? true),
  );
}

/** The number of the active option, and where the `/` stands on the screen. */
export function menuPlace({
  state,
  view,
}: Editor): { index: number; left: number; bottom: number } | undefined {
  const open = key.getState(state);
  if (!open) return undefined;
  const { left, bottom } = view.coordsAtPos(open.first);
  return { index: open.index, left, bottom };
}

/** The IDs of the list and of its options, from that of the text. */
export const listIdOf = ({ view }: { readonly view: EditorView }) => `${view.dom.id}-blocks`;
export const optionIdOf = (listId: string, index: number) => `${listId}-${index}`;

/** Takes a block: removes the `/` and what follows it, and does what the block's button does. */
export function takeBlock(editor: Editor, action: EditorAction): void {
  const { state, view } = editor;
  const open = key.getState(state);
  if (!open) return;
  view.dispatch(state.tr.delete(open.first, state.selection.from).setMeta(key, { ...open, isTaken: true }));
  action.run(editor);
  view.dispatch(closeHistory(editor.state.tr).setMeta(key, null));
}

/** The plugin of the menu. */
export const BlockMenu = Extension.create<object, Storage>({
  name: 'blockMenu',
  // Its keys come before those of lists and paragraphs.
  priority: 1000,
  addStorage: () => ({ dialogs: [] }),
  addProseMirrorPlugins() {
    const { editor } = this;
    return [createPlugin(editor)];
  },
});

function createPlugin(editor: Editor): Plugin {
  const move = (view: EditorView, open: OpenMenu, index: number) =>
    view.dispatch(view.state.tr.setMeta(key, { ...open, index }));
  return new Plugin<OpenMenu | null>({
    key,
    state: {
      init: () => null,
      apply(tr, open, _, state) {
        const told: OpenMenu | null | undefined = tr.getMeta(key);
        if (told !== undefined) return told;
        if (!open || open.isTaken) return open;
        return isStillOpen(state, open) ? { ...open, index: tr.docChanged ? 0 : open.index } : null;
      },
    },
    // All changes while the menu is open are one step of undo, as those of a composition are.
    filterTransaction(tr, state) {
      if (key.getState(state) && tr.getMeta('composition') === undefined)
        tr.setMeta('composition', 'blockMenu');
      return true;
    },
    props: {
      handleTextInput(view, from, to, text) {
        const { state } = view;
        const { parent } = state.selection.$from;
        if (text !== '/' || from !== to || parent.type.name !== 'paragraph' || parent.content.size > 0)
          return false;
        const tr = closeHistory(state.tr.insertText('/', from));
        view.dispatch(tr.setMeta(key, { first: from, index: 0 }).setMeta('composition', 'blockMenu'));
        return true;
      },
      handleKeyDown(view, event) {
        const open = key.getState(view.state);
        const offered = offeredBlocks(editor);
        const action = offered[open?.index ?? 0];
        if (!open || !action || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
          return false;
        const { length } = offered;
        if (event.key === 'ArrowDown') move(view, open, (open.index + 1) % length);
        else if (event.key === 'ArrowUp') move(view, open, (open.index + length - 1) % length);
        else if (event.key === 'Enter') takeBlock(editor, action);
        else if (event.key === 'Escape') view.dispatch(closeHistory(view.state.tr).setMeta(key, null));
        else return false;
        event.stopPropagation();
        return true;
      },
      handleDOMEvents: {
        blur(view) {
          if (filterOf(view.state) !== undefined) view.dispatch(view.state.tr.setMeta(key, null));
          return false;
        },
      },
      attributes(state): Record<string, string> {
        if (offeredBlocks(editor).length === 0) return {};
        const listId = listIdOf(editor);
        return {
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': listId,
          'aria-activedescendant': optionIdOf(listId, key.getState(state)?.index ?? 0),
          // In a dialog, Escape would close that as well.
          'data-mantine-stop-propagation': 'true',
        };
      },
    },
  });
}

/** Whether the cursor is still behind the `/` that begins its paragraph. */
function isStillOpen({ selection: { $from, empty }, doc }: EditorState, { first }: OpenMenu): boolean {
  return (
    empty &&
    $from.parent.type.name === 'paragraph' &&
    $from.start() === first &&
    $from.pos > first &&
    doc.textBetween(first, first + 1) === '/'
  );
}
