/**
 * Whether a rich text is in the editor or shown as HTML, and what the editor began with.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { openText } from './editor/rich-text.ts';

/** How long who types HTML pauses before it is checked again. */
const pauseMs = 400;

/** Follows the text `html`, which the form may replace at any time. A text that would not come back unchanged is shown as HTML. */
export function useRichText(html: string, open: typeof openText) {
  const [state, setState] = useState(() => begin(html, 0));
  // The form has another text than the editor wrote: it was discarded, merged, restored, or typed as HTML.
  if (html !== state.written) setState(begin(html, state.key + 1));
  const [isSource, setIsSource] = useState(false);
  const [settled] = useDebouncedValue(html, pauseMs);
  const opened = isSource ? settled : state.html;
  const begun = useMemo(() => ({ html: opened, ...open(opened) }), [opened, open]);
  const isInEditor = !isSource && (begun.losses.length === 0 || state.isAccepted);
  // It stays so while the user mends the text, as another input would take the focus from who types.
  if (!isSource && !isInEditor) setIsSource(true);
  const show = (asSource: boolean, isAccepted = false) => {
    setState({ ...begin(html, state.key + 1), isAccepted });
    setIsSource(asSource);
  };
  return {
    begun,
    key: state.key,
    losses: begun.losses,
    isInEditor,
    /** Takes note of what the editor wrote, so that it goes on. */
    write: (written: string) => setState((before) => ({ ...before, written })),
    /** Opens the text in the editor, whatever is lost. */
    accept: () => show(false, true),
    showSource: () => show(true),
    showEditor: () => show(false),
  };
}

const begin = (html: string, key: number) => ({ html, written: html, key, isAccepted: false });
