/**
 * Shows each block in the direction of its script. The direction is not stored: each program that shows the text chooses it again.
 */
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

/** Gives blocks their direction: a list has one, as its bullets do; the style sheet tells the lines of a list or a quotation apart. */
export const BlockDirection = Extension.create({
  name: 'blockDirection',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      state: {
        init: (_, { doc }) => decorate(doc),
        apply: ({ doc, docChanged }, decorations) => (docChanged ? decorate(doc) : decorations),
      },
      props: {
        decorations(state) {
          return this.getState(state);
        },
      },
    }),
  ],
});

function decorate(doc: Node): DecorationSet {
  const decorations: Decoration[] = [];
  doc.descendants((node, position, parent) => {
    if (hasDirection(node, parent)) {
      const dir = node.attrs.spelling?.kept?.dir ?? 'auto';
      decorations.push(Decoration.node(position, position + node.nodeSize, { dir }));
    }
    return !node.isTextblock;
  });
  return DecorationSet.create(doc, decorations);
}

/** Whether a block has a direction rather than that of the one around it. */
function hasDirection({ type, isAtom }: Node, parent: Node | null): boolean {
  if (isAtom || type.spec.tableRole !== undefined) return false;
  const { tableRole } = parent?.type.spec ?? {};
  return (
    parent?.type.name === 'doc' ||
    tableRole === 'cell' ||
    tableRole === 'header_cell' ||
    /List$/.test(type.name)
  );
}
