/**
 * Shows rich text as readers see it, in a frame in which no script runs and no form can be sent.
 */
import { completeLinks } from '../../../text/file-url.ts';
import { serverUrl } from '../../base-path.ts';

/** The frame; `title` names it for screen readers. Words within `<ins>` and `<del>` are marked. */
export function RichTextFrame({ title, html }: { title: string; html: string }) {
  return (
    <iframe title={title} sandbox="" srcDoc={toDocument(completeLinks(html, serverUrl))} style={frameStyle} />
  );
}

const frameStyle = {
  width: '100%',
  height: 320,
  border: '1px solid var(--mantine-color-default-border)',
  borderRadius: 'var(--mantine-radius-md)',
  background: '#fff',
  colorScheme: 'light',
};

const style =
  'body{font:16px/1.5 system-ui,sans-serif}img{max-width:100%}ins{background:#d9f2e0}del{background:#fde0e0}';

/** Opens links in a new tab, so that they do not replace the text. */
const toDocument = (html: string) =>
  `<!doctype html><meta charset="utf-8"><base target="_blank"><style>${style}</style>${html}`;
