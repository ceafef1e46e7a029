/**
 * The code that is loaded when a form with rich text opens.
 */
export { openText } from './open-text.ts';
export { RichTextEditor } from './rich-text-editor.tsx';
