/**
 * What texts of the editor may contain.
 */
import type { AnyExtension } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';
import { serverUrl } from '../../../../../base-path.ts';
import { BlockDirection } from './block-direction.ts';
import { BlockMenu } from './blocks/block-menu.ts';
import { KeptBlock, KeptInline } from './kept-parts.ts';
import { scripts } from './scripts-and-alignment.ts';
import { SourceBreak } from './source-break.ts';
import { KeptSpelling } from './spelling.ts';
import { tableNodes } from './table.ts';

/** Shows pictures that were uploaded where the server is; the text leaves that out. */
const FileImage = Image.extend({
  addNodeView() {
    if (new URL(serverUrl).pathname === '/') return null;
    return ({ HTMLAttributes }) => {
      const dom = document.createElement('img');
      for (const [name, value] of Object.entries(HTMLAttributes)) dom.setAttribute(name, String(value));
      const src = String(HTMLAttributes.src);
      if (src.startsWith('/files/')) dom.src = serverUrl + src;
      return { dom };
    };
  },
});

/** Lets code be part of a link and have other marks, as texts have it. It is the innermost one. */
const Kit = StarterKit.extend({
  addExtensions() {
    const isCode = ({ name }: AnyExtension) => name === 'code';
    return (this.parent?.() ?? []).map((one: AnyExtension) =>
      isCode(one) ? one.extend({ priority: 1, excludes: '' }) : one,
    );
  },
});

/** The nodes, marks and behaviours. Whatever changes a text by itself is left out. */
export const extensions = [
  Kit.configure({
    trailingNode: false,
    link: { autolink: false, openOnClick: false, HTMLAttributes: { target: null, rel: null } },
  }),
  FileImage.configure({ inline: true }),
  ...scripts,
  ...tableNodes,
  KeptBlock,
  KeptInline,
  SourceBreak,
  KeptSpelling,
  BlockDirection,
  BlockMenu,
];
