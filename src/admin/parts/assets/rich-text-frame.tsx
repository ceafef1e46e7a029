/**
 * Shows rich text as readers see it, in a frame in which no script runs and no form can be sent.
 */
import { useComputedColorScheme } from '@mantine/core';
import { completeLinks } from '../../../text/file-url.ts';
import { serverUrl } from '../../base-path.ts';
import { changeColors } from '../difference/marked-change.tsx';

/** The frame; `title` names it for screen readers. Words within `<ins>` and `<del>` are marked. */
export function RichTextFrame({ title, html }: { title: string; html: string }) {
  const preferred = useComputedColorScheme('light');
  // Such a text is written for a light page.
  const scheme = ownColors.test(html) ? 'light' : preferred;
  return (
    <iframe
      title={title}
      sandbox=""
      srcDoc={toDocument(completeLinks(html, serverUrl), scheme)}
      style={frameStyle}
    />
  );
}

const frameStyle = {
  width: '100%',
  height: 320,
  border: '1px solid var(--mantine-color-default-border)',
  borderRadius: 'var(--mantine-radius-md)',
};

/** Colours that a text has in its attributes. */
const ownColors = /<[^>]*\s(?:style\s*=[^>]*(?:color|background)|(?:bg)?color\s*=)/i;

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; color: light-dark(#000, #c9c9c9); background: light-dark(#fff, #242424) }
  a { color: light-dark(#364fc7, #91a7ff) }
  img { max-width: 100% }
  :is(p, h1, h2, h3, h4, h5, h6, li, td, th, figcaption) { unicode-bidi: plaintext }
  ins { background: ${changeColors.added} }
  del { background: ${changeColors.removed} }`;

/** Opens links in a new tab, so that they do not replace the text. */
const toDocument = (html: string, scheme: 'light' | 'dark') =>
  `<!doctype html><meta charset="utf-8"><base target="_blank"><style>:root { color-scheme: ${scheme} }${style}</style>${html}`;
