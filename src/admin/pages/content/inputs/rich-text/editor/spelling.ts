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
  /** Of a mark that contains or is within others: how many it is within. */
  readonly depth?: number;
  /** The attributes in their order. */
  readonly order?: readonly string[];
  /** The attributes that the editor has no use for, as `class`. They have no effect in it. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Of a row of a table: the section that it is in. */
  readonly section?: Section;
  /** Of the whole text: what stands before the `>` of elements without an end tag, by their names. */
  readonly close?: Readonly<Record<string, string>>;
  /** Of the whole text: that no-break spaces stand as characters, not as `&nbsp;`. */
  readonly hasPlainSpaces?: boolean;
  /** Of the whole text: how its lines end. */
  readonly lineEnd?: string;
}

/** A section of a table; `index` tells it from others of the same tag, `isBare` that it has no tags. */
export interface Section extends Spelling {
  readonly name: string;
  readonly index: number;
}

/** The attribute of the elements that are read and written; it is never part of a text. */
export const spellingAttribute = 'data-colophon-spelling';

/** The attribute by which the styles of the editor align a paragraph; it is never part of a text. */
export const alignmentAttribute = 'data-colophon-align';

/** The alignments that a text can have; the first is that of the page. */
export const alignments = ['start', 'center', 'end', 'justify'] as const;
export type Alignment = (typeof alignments)[number];

/** The alignment in a style. */
export const alignmentPattern = /(?:^|;)\s*text-align:\s*([a-z]+)\s*(?:;|$)/i;

/** The alignment in a style, as far as it is shown. */
export function alignmentOf(style = ''): Alignment {
  const [, value = ''] = alignmentPattern.exec(style) ?? [];
  const found = { left: 'start', right: 'end' }[value.toLowerCase()] ?? value.toLowerCase();
  return alignments.find((one) => one === found) ?? 'start';
}

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
        ...['horizontalRule', 'image', 'bold', 'italic', 'strike', 'link', 'underline', 'code'],
        ...['subscript', 'superscript', 'keptInline', 'keptBlock'],
        ...['table', 'tableRow', 'tableCell', 'tableHeader'],
      ],
      attributes: {
        spelling: {
          default: null,
          parseHTML: (element) => toSpelling(element.getAttribute(spellingAttribute)),
          renderHTML: ({ spelling }) => ({
            ...(spelling ? { [spellingAttribute]: JSON.stringify(spelling) } : {}),
            ...(alignmentOf(spelling?.kept?.style) === 'start'
              ? {}
              : { [alignmentAttribute]: alignmentOf(spelling.kept.style) }),
          }),
        },
      },
    },
  ],
});

/** Only `addSpelling` writes the attribute: texts and what is pasted lose theirs before they are read. */
const toSpelling = (json: string | null): Spelling | null => (json === null ? null : JSON.parse(json));
