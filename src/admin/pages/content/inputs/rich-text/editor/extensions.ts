/**
 * What texts of the editor may contain.
 */
import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';
import { SourceBreak } from './source-break.ts';
import { KeptSpelling } from './spelling.ts';

/** The nodes, marks and behaviours. Whatever changes a text by itself is left out. */
export const extensions = [
  StarterKit.configure({
    trailingNode: false,
    link: { autolink: false, openOnClick: false, HTMLAttributes: { target: null, rel: null } },
  }),
  Image.configure({ inline: true }),
  SourceBreak,
  KeptSpelling,
];
