/**
 * A line break in the source of a paragraph. Pages show it as a space, and so does the editor; the text keeps it.
 */
import { Node } from '@tiptap/core';

/** The attribute of the element that stands for the break while a text is read or written. */
export const breakAttribute = 'data-colophon-break';

/** The break with the spaces around it. */
export const SourceBreak = Node.create({
  name: 'sourceBreak',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({
    text: {
      default: '\n',
      parseHTML: (element) => element.getAttribute(breakAttribute),
      renderHTML: ({ text }) => ({ [breakAttribute]: text }),
    },
  }),
  parseHTML: () => [{ tag: `span[${breakAttribute}]` }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, ' '],
  renderText: () => ' ',
});
