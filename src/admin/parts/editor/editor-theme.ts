/**
 * How code editors look: in the colours of the page, light or dark, whichever it has.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const frame = EditorView.theme({
  '&': {
    fontSize: 'var(--mantine-font-size-sm)',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    maxHeight: '60vh',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', minHeight: '8rem' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-default-hover)',
    borderRight: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#c5d4ff, #364a7d)',
  },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-white)',
    backgroundColor: 'var(--mantine-primary-color-filled)',
  },
  '.cm-completionMatchedText': { fontWeight: 700 },
});

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier], color: 'light-dark(#7a1fa2, #d7a6f5)' },
  { tag: tags.propertyName, color: 'light-dark(#1a4f9c, #9ac1ff)' },
  { tag: tags.attributeName, color: 'light-dark(#8a4b00, #f0b46c)' },
  { tag: [tags.variableName, tags.special(tags.name)], color: 'light-dark(#00657a, #6fd3e8)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#a11220, #ff9e94)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#0b6137, #7ddba6)' },
  { tag: tags.comment, color: 'light-dark(#595f66, #a5abb3)', fontStyle: 'italic' },
]);

/** The looks of an editor; they follow the page's colour scheme by themselves. */
export const editorTheme: Extension = [frame, syntaxHighlighting(highlight)];
