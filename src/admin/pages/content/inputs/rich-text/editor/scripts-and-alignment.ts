/**
 * Subscript and superscript, and the alignment of paragraphs and headings, which is part of their `style`.
 */
import { type Editor, Mark } from '@tiptap/core';
import { type Alignment, alignmentOf, alignmentPattern, type Spelling } from './spelling.ts';

const createScript = (name: 'subscript' | 'superscript', tag: 'sub' | 'sup') =>
  Mark.create({
    name,
    excludes: 'subscript superscript',
    parseHTML: () => [{ tag }, { style: `vertical-align=${tag === 'sub' ? 'sub' : 'super'}` }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return { [tag === 'sub' ? 'Mod-,' : 'Mod-.']: () => this.editor.commands.toggleMark(name) };
    },
  });

/** The marks `<sub>` and `<sup>`. */
export const scripts = [createScript('subscript', 'sub'), createScript('superscript', 'sup')];

/** Aligns the selected paragraphs and headings. The rest of their style stays. */
export function align(editor: Editor, alignment: Alignment): void {
  editor.view.focus();
  editor
    .chain()
    .command(({ tr, state: { selection } }) => {
      tr.doc.nodesBetween(selection.from, selection.to, (node, position) => {
        if (!/^(paragraph|heading)$/.test(node.type.name)) return;
        // Safe: the schema's attribute has this type.
        const { kept = {}, ...spelling } = (node.attrs.spelling ?? {}) as Spelling;
        const { style: before = '', ...others } = kept;
        const rest = before.replace(alignmentPattern, ';').replace(/^[;\s]+|[;\s]+$/g, '');
        const style = [rest, ...(alignment === 'start' ? [] : [`text-align: ${alignment}`])]
          .filter(Boolean)
          .join('; ');
        const wanted = { ...others, ...(style === '' ? {} : { style }) };
        const next = { ...spelling, ...(Object.keys(wanted).length === 0 ? {} : { kept: wanted }) };
        // A list item or a cell writes a paragraph with attributes with its tags.
        if (next.isBare && next.kept) delete (next as { isBare?: boolean }).isBare;
        tr.setNodeAttribute(position, 'spelling', Object.keys(next).length === 0 ? null : next);
      });
      return true;
    })
    .run();
}

/** The alignment of the paragraph or heading with the cursor. */
export const alignmentAt = (editor: Editor): Alignment =>
  // Safe: as above.
  alignmentOf((editor.state.selection.$from.parent.attrs.spelling as Spelling | null)?.kept?.style);
