/**
 * How the HTML of a text is written where several ways mean the same: white space between blocks, `<b>` or `<strong>`, list items
 * without paragraphs. The nodes of the editor keep it as one attribute, so that a text comes back as it was.
 */
import { Extension } from '@tiptap/core';

/** How an element is written. */
export interface Spelling {
  /** The white space before it. */
  readonly before?: string;
  /** The white space before its end tag. */
  readonly end?: string;
  /** Whether a paragraph has no tags, as the text of most list items. */
  readonly isBare?: boolean;
  /** The tag of a mark that has several. */
  readonly tag?: string;
  /** The attributes in their order. */
  readonly order?: readonly string[];
  /** Of the whole text: what stands before the `>` of an element without an end tag. */
  readonly close?: string;
  /** Of the whole text: how its lines end. */
  readonly lineEnd?: string;
}

/** The attribute of the elements that are read and written; it is never part of a text. */
export const spellingAttribute = 'data-colophon-spelling';

/** The spelling of an element. */
export function spellingOf(element: Element): Spelling {
  return toSpelling(element.getAttribute(spellingAttribute)) ?? {};
}

/** Adds to the spelling of an element. */
export function addSpelling(element: Element, spelling: Spelling): void {
  if (Object.keys(spelling).length === 0) return;
  element.setAttribute(spellingAttribute, JSON.stringify({ ...spellingOf(element), ...spelling }));
}

/** Keeps the spelling in the nodes and marks of the editor. New ones have none. */
export const KeptSpelling = Extension.create({
  name: 'keptSpelling',
  addGlobalAttributes: () => [
    {
      types: [
        ...[
          'doc',
          'paragraph',
          'heading',
          'bulletList',
          'orderedList',
          'listItem',
          'blockquote',
          'codeBlock',
        ],
        ...['horizontalRule', 'image', 'bold', 'italic', 'strike', 'link'],
      ],
      attributes: {
        spelling: {
          default: null,
          parseHTML: (element) => toSpelling(element.getAttribute(spellingAttribute)),
          renderHTML: ({ spelling }) => (spelling ? { [spellingAttribute]: JSON.stringify(spelling) } : {}),
        },
      },
    },
  ],
});

/** Only `addSpelling` writes the attribute: texts and what is pasted lose theirs before they are read. */
const toSpelling = (json: string | null): Spelling | null => (json === null ? null : JSON.parse(json));
