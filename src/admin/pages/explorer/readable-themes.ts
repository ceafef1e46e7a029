/**
 * The colours of GraphiQL's editors, with comments that are readable in dark colours too. The editor draws its texts with styles of its
 * own making, which the style sheet of the page cannot name.
 */
import { useMonaco } from '@graphiql/react';
import { useEffect } from 'react';

/** The colours of what lies around the text; the others are those of the editor. */
const surfaces = {
  dark: {
    background: '#2a2826',
    accent: '#91a7ff',
    chosen: '#91a7ff29',
    field: '#d1d1d111',
    numbers: '#948d86',
  },
  light: {
    background: '#ffffff',
    accent: '#3b5bdb',
    chosen: '#3b5bdb19',
    field: '#3b4b6811',
    numbers: '#6b655f',
  },
} as const;

const themes = [
  { name: 'graphiql-DARK', base: 'vs-dark', surface: surfaces.dark, argument: '#908aff', comment: '#8fbf7a' },
  { name: 'graphiql-LIGHT', base: 'vs', surface: surfaces.light, argument: '#5b58c4', comment: '#007000' },
] as const;

/** Replaces GraphiQL's themes as soon as the editor is loaded. */
export function useReadableThemes(): void {
  const monaco = useMonaco((state) => state.monaco);
  useEffect(() => {
    if (!monaco) return;
    for (const { name, base, surface, argument, comment } of themes) {
      monaco.editor.defineTheme(name, {
        base,
        inherit: true,
        colors: toColors(surface),
        rules: [
          { token: 'argument.identifier.gql', foreground: argument },
          { token: 'comment', foreground: comment },
        ],
      });
    }
  }, [monaco]);
}

function toColors({ background, accent, chosen, field, numbers }: (typeof surfaces)['dark' | 'light']) {
  return {
    'editor.background': '#ffffff00',
    'scrollbar.shadow': '#ffffff00',
    'editorLineNumber.foreground': numbers,
    'editorLineNumber.dimmedForeground': numbers,
    focusBorder: accent,
    'textLink.foreground': accent,
    'editorLink.activeForeground': accent,
    'editorHoverWidget.background': background,
    'editorWidget.background': background,
    'editorSuggestWidget.background': background,
    'editorSuggestWidget.selectedBackground': chosen,
    'editorSuggestWidget.selectedForeground': accent,
    'menu.background': background,
    'menu.selectionBackground': chosen,
    'menu.selectionForeground': accent,
    'quickInput.background': background,
    'quickInputList.focusBackground': chosen,
    'input.background': field,
    'list.hoverBackground': chosen,
    'list.highlightForeground': accent,
    'list.focusHighlightForeground': accent,
    'toolbar.hoverBackground': chosen,
  };
}
